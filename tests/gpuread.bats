# bats file_tags=quick
# gpuread, with a stub for NVIDIA's library; what its readings become: energy.bats.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cc -shared -fPIC -o nvml.so "$ROOT/tests/nvml_stub.c"
}

@test "each line of the input gives a reading, until the input ends" {
	run -0 bash -c 'printf "\n\n" | NBSCOPE_NVML=./nvml.so gpuread'
	[ "${#lines[@]}" = 2 ]
	run -0 jq -sc 'map([.type, (.gpus | length > 0), .reason, .last]) | unique' <<<"$output"
	[ "$output" = '[["gpu_reading",true,null,false]]' ]
}

@test "without a library the one reading has the reason and is the last" {
	run -0 bash -c 'NBSCOPE_NVML=./none.so gpuread </dev/null'
	run -0 jq -c '[.gpus, .last, (.reason | startswith("no NVIDIA driver: "))]' <<<"$output"
	[ "$output" = '[null,true,true]' ]
}

@test "a reading follows its schema" {
	run -0 bash -c 'echo | NBSCOPE_NVML=./nvml.so gpuread >r; NBSCOPE_NVML=./none.so gpuread </dev/null >>r'
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict r
}
