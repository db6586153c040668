/* link.c: a link of a given rate and delay. Bytes are read a little before their turn, and a
 * late wake-up is made up for. */
#include "link.h"
#include "stats/random.h"

enum {
	AHEAD_NS = 20000000, CATCH_UP_NS = 200000000, PIECE_NS = 4000000,
	MIN_PIECE_BYTES = 1460, MAX_PIECE_BYTES = 64 << 10, UNLIMITED_PIECE_BYTES = 256 << 10,
	MIN_WINDOW_BYTES = 256 << 10, UNLIMITED_WINDOW_BYTES = 8 << 20,
	MAX_WINDOW_BYTES = 32 << 20,
};

static size_t
clamp(double x, size_t lo, size_t hi)
{
	return x < (double)lo ? lo : x > (double)hi ? hi : (size_t)x;
}

uint64_t
link_delay_ns(struct link *l)
{
	return l->latency_ns + (l->jitter_ns ? random_below(&l->random, l->jitter_ns + 1) : 0);
}

uint64_t
link_send(struct link *l, size_t n, uint64_t now)
{
	l->carried_bytes += n;
	if (l->bytes_per_s > 0) {
		/* A full piece was followed by more: the link has not been idle since, only this
		 * process was late. */
		uint64_t since = l->saturated && now > CATCH_UP_NS ? now - CATCH_UP_NS : now;
		uint64_t start = l->free_at_ns > since ? l->free_at_ns : since;
		l->saturated = n >= link_piece_bytes(l);
		l->free_at_ns = start + (uint64_t)((double)n / l->bytes_per_s * 1e9);
		now = l->free_at_ns;
	}
	return now + link_delay_ns(l);
}

uint64_t
link_opens_at_ns(const struct link *l)
{
	return l->free_at_ns > AHEAD_NS ? l->free_at_ns - AHEAD_NS : 0;
}

size_t
link_piece_bytes(const struct link *l)
{
	if (l->bytes_per_s <= 0)
		return UNLIMITED_PIECE_BYTES;
	return clamp(l->bytes_per_s * PIECE_NS / 1e9, MIN_PIECE_BYTES, MAX_PIECE_BYTES);
}

size_t
link_window_bytes(const struct link *l)
{
	uint64_t flight_ns = l->latency_ns + l->jitter_ns;
	if (l->bytes_per_s <= 0)
		return flight_ns ? UNLIMITED_WINDOW_BYTES : MIN_WINDOW_BYTES;
	double bytes = 2 * l->bytes_per_s * (double)(flight_ns + AHEAD_NS) / 1e9;
	return clamp(bytes, MIN_WINDOW_BYTES, MAX_WINDOW_BYTES);
}
