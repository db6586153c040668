/* cell_time.c: how long a cell took, of which its phases are shares. */
#include "metric/cell_time.h"
#include "metric/catalogue.h"

#include <math.h>

double
cell_time(const double *number)
{
	return cell_time_has_page(number) ? number[M_client_execution_time_metric] :
	    number[M_kernel_s] + number[M_transport_s];
}

bool
cell_time_has_page(const double *number)
{
	return isfinite(number[M_client_execution_time_metric]) || isfinite(number[M_render_s]);
}
