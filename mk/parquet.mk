# What reads and writes Parquet files; installed when a target needs it.
# In:  share/parquet/requirements.txt
# Out: PARQUET_DONE (the stamp of build/parquet-venv, which metricstat finds)

PARQUET_DONE := build/parquet-venv/.done

$(PARQUET_DONE): share/parquet/requirements.txt | $(DEPS_DONE)
	@echo "parquet: pyarrow into build/parquet-venv (once)"
	@sh mk/setup/make-venv.sh --without-pip build/parquet-venv $<
	@touch $@

.PHONY: parquet
parquet: $(PARQUET_DONE) ## install what reads and writes Parquet files (pyarrow, in its own Python environment)
