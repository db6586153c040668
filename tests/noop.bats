# What make costs where there is nothing to do: processor time, which other programs hardly change.
# bats file_tags=untimed
load helpers
load make

# cpu_ms LIMIT ARGUMENT...: make with these uses less than LIMIT ms, at best of seven.
cpu_ms() {
	python3 - "$ROOT" "$@" <<'EOP'
import resource, subprocess, sys
def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
times = []
for _ in range(7):
    before = used()
    subprocess.run(["make", "--no-print-directory", "-C", sys.argv[1], *sys.argv[3:]], check=True, stdout=subprocess.DEVNULL)
    times.append(round(1000 * (used() - before)))
print(sys.argv[3:], times, "ms")
assert min(times) < int(sys.argv[2])
EOP
}

@test "240 notebooks with nothing to do use under 150 ms of processor time, generating them again under 100 ms" {
	UC=$BATS_TEST_TMPDIR/images
	mkdir "$UC"
	cp "$ROOT"/usecases/imviz_images/{template.ipynb,params.json} "$UC"
	# Each is recorded as too large for this machine, which needs no browser.
	run -0 nb profile MEMORY_BYTES=1e30
	has '240'
	[ "$(runs_of | wc -l)" = 240 ]
	cpu_ms 150 USECASE="$UC" MEMORY_BYTES=1e30 profile
	cpu_ms 100 USECASE="$UC" MEMORY_BYTES=1e30 generate
}

@test "setup with all there is a no-op of 300 ms at most" {
	run -0 make --no-print-directory -C "$ROOT" setup
	run -0 make --no-print-directory -C "$ROOT" setup
	has 'setup: nbscope is ready; next: make profile'
	cpu_ms 300 setup
}
