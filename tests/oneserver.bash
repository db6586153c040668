# For files whose tests share one server: it starts before the first and ends after the last. A file
# whose server needs more has a setup_file() of its own after this.
load server

setup_file() {
	start_server
}

teardown_file() {
	stop_server
}
