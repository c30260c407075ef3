/* ranges.c - see ranges.h. */
#include "base/ranges.h"

#include "base/refuse.h"

piola_status range_check(const float *values, uint32_t count, float low, float high)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (!is_finite(values[i]))
            return PIOLA_ERROR_NOT_FINITE;
        if (!(values[i] >= low && values[i] <= high))
            return PIOLA_ERROR_RANGE;
    }
    return PIOLA_OK;
}

piola_status ranges_check(const struct range_row *rows, size_t count, const char **field)
{
    for (size_t i = 0; i < count; ++i) {
        const struct range_row *row = &rows[i];
        const piola_status status = range_check(row->values, row->count, row->low, row->high);
        *field = row->field;
        if (status != PIOLA_OK)
            return status;
    }
    return PIOLA_OK;
}

piola_status ranges_refuse(const struct range_row *rows, size_t count, piola_error *error)
{
    const char *field = NULL;
    const piola_status status = ranges_check(rows, count, &field);
    return status == PIOLA_OK ? PIOLA_OK : refuse(error, status, field);
}

bool quaternion_unit(const float q[4])
{
    double norm = 0;
    for (int k = 0; k < 4; ++k)
        norm += (double)q[k] * (double)q[k];
    return norm > 0.99 && norm < 1.01;
}
