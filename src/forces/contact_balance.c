/* contact_balance.c - which forces of contact momenta ask for.
 *
 * Each body knows what all of its contacts gave it together, for that is how its momentum changed;
 * each contact has a guess of its force. What bodies lack is spread over their contacts by the size
 * of these guesses, least changed as a whole: the change of a contact is its size w times the
 * difference of two numbers, the ways of its sides, so what one side gets the other loses. The ways
 * solve the Laplace matrix of the graph of bodies, by conjugate gradients: exactly where bodies
 * touch few others, by a bounded number of rounds in large piles.
 */
#include "forces/contact_forces.h"

#include "families/rigid/rigid.h"

#include <string.h>

#define ROUNDS  64
#define FIRM    (1 + 1e-9) /* what all of a group lack together, none of them can give */
#define SETTLED 1e-14      /* of the square of what was lacking */

struct contact_edge *contact_edge(piola_world *w, uint32_t one, uint32_t two)
{
    struct surface_now *now = world_surface_now(w);
    const uint64_t places = w->dim[DIM_contact_edge_places].capacity;
    const uint32_t low = one < two ? one : two, high = one < two ? two : one;
    uint64_t place =
        (low * UINT64_C(0x9e3779b97f4a7c15) ^ high * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 32;
    uint32_t *at = world_contact_edge_places(w);
    for (place &= places - 1; at[place] != 0; place = (place + 1) & (places - 1)) {
        struct contact_edge *edge = &world_contact_edges(w)[at[place] - 1];
        if (edge->one == low && edge->two == high)
            return edge;
    }
    if (now->edges == w->dim[DIM_contact_edges].capacity)
        return NULL;
    struct contact_edge *made = &world_contact_edges(w)[now->edges++];
    *made = (struct contact_edge){.one = low, .two = high};
    at[place] = now->edges;
    return made;
}

static bool solved(const struct contact_node *node)
{
    return node->free && node->weight > 0;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The matrix times `along`; returns the product with `along`. */
static double multiply(const piola_world *w, uint32_t count)
{
    struct contact_node *nodes = world_contact_nodes(w);
    double curve = 0;
    for (uint32_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k)
            nodes[i].image[k] = FIRM * nodes[i].weight * nodes[i].along[k];
    for (uint32_t e = 0; e < world_surface_now(w)->edges; ++e) {
        const struct contact_edge *edge = &world_contact_edges(w)[e];
        struct contact_node *a = &nodes[edge->one], *b = &nodes[edge->two];
        for (int k = 0; k < 3 && a->free && b->free; ++k) {
            a->image[k] -= edge->weight * b->along[k];
            b->image[k] -= edge->weight * a->along[k];
        }
    }
    for (uint32_t i = 0; i < count; ++i)
        curve += solved(&nodes[i]) ? dot(nodes[i].along, nodes[i].image) : 0;
    return curve;
}

static double begin(struct contact_node *nodes, uint32_t count)
{
    double square = 0;
    for (uint32_t i = 0; i < count; ++i) {
        struct contact_node *n = &nodes[i];
        for (int k = 0; k < 3; ++k) {
            n->way[k] = 0;
            n->left[k] = solved(n) ? n->lacks[k] : 0;
            n->along[k] = solved(n) ? n->lacks[k] / n->weight : 0;
        }
        square += dot(n->left, n->along);
    }
    return square;
}

void contact_balance(const piola_world *w)
{
    struct contact_node *nodes = world_contact_nodes(w);
    const uint32_t count = w->desc.max_bodies + rigid_end(w);
    double square = begin(nodes, count);
    const double enough = SETTLED * square;
    for (uint32_t round = 0; round < ROUNDS && square > enough; ++round) {
        const double curve = multiply(w, count);
        if (!(curve > 0))
            break;
        const double before = square;
        square = 0;
        for (uint32_t i = 0; i < count; ++i) {
            struct contact_node *n = &nodes[i];
            for (int k = 0; k < 3 && solved(n); ++k) {
                n->way[k] += before / curve * n->along[k];
                n->left[k] -= before / curve * n->image[k];
                square += n->left[k] * n->left[k] / n->weight;
            }
        }
        for (uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < 3 && solved(&nodes[i]); ++k)
                nodes[i].along[k] =
                    nodes[i].left[k] / nodes[i].weight + square / before * nodes[i].along[k];
    }
}
