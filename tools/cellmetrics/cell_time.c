/* cell_time.c: how long a cell took, of which its phases are shares. */
#include "cell_time.h"
#include "metric/catalogue.h"

#include <math.h>

double
cell_time(const double *number)
{
	double client_s = number[M_client_execution_time_metric];
	return isnan(client_s) ? number[M_kernel_s] + number[M_transport_s] : client_s;
}
