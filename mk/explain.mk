# Why a cell is slow: profilers inside the kernel, in runs of their own.
# In:  UC/metrics/LABEL, UC/notebooks/; PROFILERS, CELLS, FUNCTIONS
# Out: UC/runs/LABEL/NAME@profile-PASS.jsonl; UC/profiles/LABEL; a table on the terminal

.PHONY: explain
explain: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) $(TABLES) programs ## why the slowest cells are slow: functions, lines, memory (CELLS, PROFILERS, FUNCTIONS)
	@$(hold) --scratch "$(RUNS)" mk/run/explain-cells.sh "$$UC" $(LABEL)

export PROFILERS CELLS FUNCTIONS DECORATORS
