/* Signs of determinants: filter and expansions. See ref_exact.h. */
#include "ref_exact.h"

#include <math.h>

/* Components in order of rising magnitude that do not overlap; their exact sum is the number, which
 * has the sign of the last one. A determinant of differences has at most 3 * 2 * (16 * 2). */
#define COMPONENTS 192

typedef struct {
    int count;
    double part[COMPONENTS];
} expansion;

static unsigned long hard_calls;

unsigned long ref_exact_hard_calls(void)
{
    return hard_calls;
}

/* a + b = *sum + *rest, exactly (Shewchuk's theorem 7, Knuth). */
static void two_sum(double a, double b, double *sum, double *rest)
{
    const double s = a + b, b_part = s - a, a_part = s - b_part;
    *rest = (a - a_part) + (b - b_part);
    *sum = s;
}

/* a = *high + *low, 26 bits each (theorem 17, Dekker). */
static void split(double a, double *high, double *low)
{
    const double c = 134217729.0 * a; /* 2^27 + 1 */
    *high = c - (c - a);
    *low = a - *high;
}

/* a b = *product + *rest, exactly (theorem 18, Veltkamp). */
static void two_product(double a, double b, double *product, double *rest)
{
    const double p = a * b;
    double ah, al, bh, bl;
    split(a, &ah, &al);
    split(b, &bh, &bl);
    *rest = al * bl - (((p - ah * bh) - al * bh) - ah * bl);
    *product = p;
}

/* e += b (theorem 10, Grow-Expansion); zeros are left out. */
static void grow(expansion *e, double b)
{
    double carry = b;
    int kept = 0;
    for (int i = 0; i < e->count; i++) {
        double rest;
        two_sum(carry, e->part[i], &carry, &rest);
        if (rest != 0)
            e->part[kept++] = rest;
    }
    if (carry != 0)
        e->part[kept++] = carry;
    e->count = kept;
}

static void set_difference(expansion *e, double a, double b)
{
    e->count = 0;
    grow(e, a);
    grow(e, -b);
}

/* e += sign * a * b */
static void add_product(expansion *e, double sign, const expansion *a, const expansion *b)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            double product, rest;
            two_product(a->part[i], b->part[j], &product, &rest);
            grow(e, sign * rest);
            grow(e, sign * product);
        }
}

static int expansion_sign(const expansion *e)
{
    if (e->count == 0)
        return 0;
    return e->part[e->count - 1] > 0 ? 1 : -1;
}

static int sign_of(double v)
{
    return (v > 0) - (v < 0);
}

/* Below this a product may have lost bits to underflow: the filter says nothing. */
#define LEAST 1e-250

int ref_exact_turn(const double a[2], const double b[2], const double c[2])
{
    const double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
    const double det = left - right, sum = fabs(left) + fabs(right);
    /* (3 + 16 eps) eps with eps = 2^-53 (Shewchuk's ccwerrboundA), rounded up */
    if (sum > LEAST && fabs(det) > 3.5e-16 * sum)
        return sign_of(det);
    hard_calls++;
    expansion u[2], v[2], value = {0, {0}};
    for (int k = 0; k < 2; k++) {
        set_difference(&u[k], b[k], a[k]);
        set_difference(&v[k], c[k], a[k]);
    }
    add_product(&value, 1, &u[0], &v[1]);
    add_product(&value, -1, &u[1], &v[0]);
    return expansion_sign(&value);
}

static int side_by_expansions(const double *a, const double *b, const double *c, const double *d)
{
    expansion u[3], v[3], w[3], value = {0, {0}};
    hard_calls++;
    for (int k = 0; k < 3; k++) {
        set_difference(&u[k], b[k], a[k]);
        set_difference(&v[k], c[k], a[k]);
        set_difference(&w[k], d[k], a[k]);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        expansion minor = {0, {0}};
        add_product(&minor, 1, &u[i], &v[j]);
        add_product(&minor, -1, &u[j], &v[i]);
        add_product(&value, 1, &minor, &w[k]);
    }
    return expansion_sign(&value);
}

int ref_exact_side(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[3], v[3], w[3], det = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = d[k] - a[k];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double left = u[i] * v[j], right = u[j] * v[i];
        det += (left - right) * w[k];
        sum += (fabs(left) + fabs(right)) * fabs(w[k]);
    }
    /* (7 + 56 eps) eps (Shewchuk's o3derrboundA), rounded up */
    if (sum > LEAST && fabs(det) > 8e-16 * sum)
        return sign_of(det);
    return side_by_expansions(a, b, c, d);
}
