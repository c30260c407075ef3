/* Block-sparse matrices and the envelope Cholesky; see the header. The inner loop multiplies three
 * rows by three rows so that every loaded number is used three times. */
#include "ref_linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Neighbours of each vertex, repeated ones included, as start/list. */
static bool gather(int rows, int cells, int corners, const int *index, int *start, int **list)
{
    memset(start, 0, ((size_t)rows + 1) * sizeof *start);
    for (int i = 0; i < cells * corners; i++)
        start[index[i] + 1] += corners;
    for (int r = 0; r < rows; r++)
        start[r + 1] += start[r];
    *list = malloc(((size_t)start[rows] + 1) * sizeof **list);
    int *fill = calloc((size_t)rows + 1, sizeof *fill);
    if (!*list || !fill) {
        free(fill);
        return false;
    }
    for (int c = 0; c < cells; c++)
        for (int i = 0; i < corners; i++)
            for (int j = 0; j < corners; j++) {
                int r = index[c * corners + i];
                (*list)[start[r] + fill[r]++] = index[c * corners + j];
            }
    free(fill);
    return true;
}

bool ref_blocks_create(ref_blocks *a, int rows, int cells, int corners, const int *index)
{
    memset(a, 0, sizeof *a);
    a->rows = rows;
    a->start = calloc((size_t)rows + 1, sizeof *a->start);
    if (!a->start || !gather(rows, cells, corners, index, a->start, &a->column)) {
        ref_blocks_free(a);
        return false;
    }
    int count = 0, from = 0;
    for (int r = 0; r < rows; r++) {
        int to = a->start[r + 1], kept = count;
        qsort(a->column + from, (size_t)(to - from), sizeof *a->column, ascending);
        for (int k = from; k < to; k++)
            if (count == kept || a->column[count - 1] != a->column[k])
                a->column[count++] = a->column[k];
        a->start[r] = kept;
        from = to;
    }
    a->start[rows] = count;
    a->value = calloc((size_t)count * 9 + 1, sizeof *a->value);
    if (!a->value)
        ref_blocks_free(a);
    return a->value != NULL;
}

void ref_blocks_free(ref_blocks *a)
{
    free(a->start);
    free(a->column);
    free(a->value);
    memset(a, 0, sizeof *a);
}

void ref_blocks_clear(ref_blocks *a)
{
    memset(a->value, 0, (size_t)a->start[a->rows] * 9 * sizeof *a->value);
}

double *ref_blocks_at(const ref_blocks *a, int row, int column)
{
    int low = a->start[row], high = a->start[row + 1] - 1;
    while (low < high) {
        int mid = (low + high) / 2;
        if (a->column[mid] < column)
            low = mid + 1;
        else
            high = mid;
    }
    return a->value + 9 * (long)low;
}

void ref_blocks_multiply(const ref_blocks *a, const double *x, double *y)
{
    for (int r = 0; r < a->rows; r++) {
        double s[3] = {0, 0, 0};
        for (int k = a->start[r]; k < a->start[r + 1]; k++) {
            const double *b = a->value + 9 * (long)k, *v = x + 3 * (long)a->column[k];
            for (int i = 0; i < 3; i++)
                s[i] += b[3 * i] * v[0] + b[3 * i + 1] * v[1] + b[3 * i + 2] * v[2];
        }
        memcpy(y + 3 * (long)r, s, sizeof s);
    }
}

/* ---- ordering ---- */

static int degree(const ref_blocks *a, int r)
{
    return a->start[r + 1] - a->start[r];
}

/* Breadth-first from `root` into order[from..]; low degrees first. Returns one past the last. */
static int breadth_first(const ref_blocks *a, int root, int from, int *order, int *seen, int mark)
{
    int end = from;
    order[end++] = root;
    seen[root] = mark;
    for (int head = from; head < end; head++) {
        int r = order[head], begin = end;
        for (int k = a->start[r]; k < a->start[r + 1]; k++) {
            int c = a->column[k];
            if (seen[c] == mark)
                continue;
            seen[c] = mark;
            int at = end++;
            while (at > begin && degree(a, order[at - 1]) > degree(a, c)) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = c;
        }
    }
    return end;
}

/* Reverse Cuthill-McKee from the far end of two trial searches, each connected part in turn. */
static void reverse_cuthill_mckee(const ref_blocks *a, int *order, int *seen)
{
    int done = 0, mark = 1;
    memset(seen, 0, (size_t)a->rows * sizeof *seen);
    for (int r = 0; r < a->rows; r++) {
        if (seen[r])
            continue;
        int root = r, end = done;
        for (int trial = 0; trial < 3; trial++) {
            end = breadth_first(a, root, done, order, seen, mark++);
            if (trial < 2)
                root = order[end - 1];
        }
        done = end;
    }
    for (int i = 0, j = a->rows - 1; i < j; i++, j--) {
        int keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
}

bool ref_factor_create(ref_factor *f, const ref_blocks *a)
{
    size_t n = (size_t)a->rows;
    memset(f, 0, sizeof *f);
    f->rows = a->rows;
    f->order = malloc((n + 1) * sizeof *f->order);
    f->place = malloc((n + 1) * sizeof *f->place);
    f->first = malloc((n + 1) * sizeof *f->first);
    f->offset = malloc((n + 1) * sizeof *f->offset);
    f->work = malloc((3 * n + 1) * sizeof *f->work);
    if (!f->order || !f->place || !f->first || !f->offset || !f->work) {
        ref_factor_free(f);
        return false;
    }
    reverse_cuthill_mckee(a, f->order, f->place);
    for (int i = 0; i < f->rows; i++)
        f->place[f->order[i]] = i;
    long size = 0;
    for (int i = 0; i < f->rows; i++) {
        int old = f->order[i];
        f->first[i] = i;
        for (int k = a->start[old]; k < a->start[old + 1]; k++)
            if (f->place[a->column[k]] < f->first[i])
                f->first[i] = f->place[a->column[k]];
        f->offset[i] = size;
        size += 9L * (i - f->first[i] + 1);
    }
    f->l = malloc(((size_t)size + 1) * sizeof *f->l);
    f->offset[f->rows] = size;
    if (!f->l)
        ref_factor_free(f);
    return f->l != NULL;
}

void ref_factor_free(ref_factor *f)
{
    free(f->order);
    free(f->place);
    free(f->first);
    free(f->offset);
    free(f->l);
    free(f->work);
    memset(f, 0, sizeof *f);
}

/* ---- factorisation ---- */

static void load(ref_factor *f, const ref_blocks *a)
{
    memset(f->l, 0, (size_t)f->offset[f->rows] * sizeof *f->l);
    for (int r = 0; r < a->rows; r++)
        for (int k = a->start[r]; k < a->start[r + 1]; k++) {
            int i = f->place[r], j = f->place[a->column[k]];
            if (j > i)
                continue;
            long width = 3L * (i - f->first[i] + 1);
            double *to = f->l + f->offset[i] + 3L * (j - f->first[i]);
            for (int p = 0; p < 3; p++)
                memcpy(to + p * width, a->value + 9 * (long)k + 3 * p, 3 * sizeof(double));
        }
}

/* s[p][q] = sum over n of a_p b_q, for three rows at strides wa and wb. */
static void rows_times_rows(const double *a, long wa, const double *b, long wb, long n,
                            double s[3][3])
{
    const double *a1 = a + wa, *a2 = a + 2 * wa, *b1 = b + wb, *b2 = b + 2 * wb;
    double s00 = 0, s01 = 0, s02 = 0, s10 = 0, s11 = 0, s12 = 0, s20 = 0, s21 = 0, s22 = 0;
    for (long k = 0; k < n; k++) {
        double x0 = a[k], x1 = a1[k], x2 = a2[k], y0 = b[k], y1 = b1[k], y2 = b2[k];
        s00 += x0 * y0;
        s01 += x0 * y1;
        s02 += x0 * y2;
        s10 += x1 * y0;
        s11 += x1 * y1;
        s12 += x1 * y2;
        s20 += x2 * y0;
        s21 += x2 * y1;
        s22 += x2 * y2;
    }
    double r[3][3] = {{s00, s01, s02}, {s10, s11, s12}, {s20, s21, s22}};
    memcpy(s, r, sizeof r);
}

/* x L_jj^T = x for each of three rows of x; d is the diagonal block at stride w. */
static void divide_by_diagonal(double *x, long wx, const double *d, long wd)
{
    for (int p = 0; p < 3; p++) {
        double *r = x + p * wx;
        r[0] /= d[0];
        r[1] = (r[1] - r[0] * d[wd]) / d[wd + 1];
        r[2] = (r[2] - r[0] * d[2 * wd] - r[1] * d[2 * wd + 1]) / d[2 * wd + 2];
    }
}

static bool factor_diagonal(double *d, long w)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = d[i * w + j];
            for (int k = 0; k < j; k++)
                sum -= d[i * w + k] * d[j * w + k];
            if (i == j && !(sum > 0 && isfinite(sum)))
                return false;
            d[i * w + j] = i == j ? sqrt(sum) : sum / d[j * w + j];
        }
    return true;
}

bool ref_factor_compute(ref_factor *f, const ref_blocks *a)
{
    load(f, a);
    for (int i = 0; i < f->rows; i++) {
        int fi = f->first[i];
        long wi = 3L * (i - fi + 1);
        double *row = f->l + f->offset[i];
        for (int j = fi; j <= i; j++) {
            int fj = f->first[j], k = fi > fj ? fi : fj;
            long wj = 3L * (j - fj + 1);
            double *other = f->l + f->offset[j], s[3][3], *to = row + 3L * (j - fi);
            rows_times_rows(row + 3L * (k - fi), wi, other + 3L * (k - fj), wj, 3L * (j - k), s);
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    to[p * wi + q] -= s[p][q];
            if (j < i)
                divide_by_diagonal(to, wi, other + 3L * (j - fj), wj);
            else if (!factor_diagonal(to, wi))
                return false;
        }
    }
    return true;
}

void ref_factor_solve(ref_factor *f, const double *b, double *x)
{
    double *y = f->work;
    for (int i = 0; i < f->rows; i++)
        memcpy(y + 3 * (long)i, b + 3 * (long)f->order[i], 3 * sizeof *y);
    for (int i = 0; i < f->rows; i++)
        for (int p = 0; p < 3; p++) {
            long w = 3L * (i - f->first[i] + 1), n = w - 3 + p;
            const double *row = f->l + f->offset[i] + p * w, *from = y + 3L * f->first[i];
            double sum = y[3 * i + p];
            for (long k = 0; k < n; k++)
                sum -= row[k] * from[k];
            y[3 * i + p] = sum / row[n];
        }
    for (int i = f->rows - 1; i >= 0; i--)
        for (int p = 2; p >= 0; p--) {
            long w = 3L * (i - f->first[i] + 1), n = w - 3 + p;
            const double *row = f->l + f->offset[i] + p * w;
            double *to = y + 3L * f->first[i], value = y[3 * i + p] / row[n];
            y[3 * i + p] = value;
            for (long k = 0; k < n; k++)
                to[k] -= row[k] * value;
        }
    for (int i = 0; i < f->rows; i++)
        memcpy(x + 3 * (long)f->order[i], y + 3 * (long)i, 3 * sizeof *y);
}
