/* session_claim.h: gets a browser that is handed over late, and returns it early. */
#ifndef SESSION_CLAIM_H
#define SESSION_CLAIM_H

#include <stdbool.h>

/* One is handed over late (wdsession --early) or kept for several programs (--keep). */
bool session_claim_expected(void);
/* Waits for the variables and sets them; -1: none came, or http_stop was set. */
int session_claim_receive(void);
/* Returns the browser; false if it was not handed over: it stays until the command ends. */
bool session_claim_return(void);
/* Returns it for the next program: it is left in a good state. */
void session_claim_keep(void);
/* Waits until it is gone; false if it is not after max_ms. */
bool session_claim_wait_closed(int max_ms);

#endif
