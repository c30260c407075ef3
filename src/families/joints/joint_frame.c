/* joint_frame.c - the six coordinates of a joint, and how they answer velocities.
 *
 * With the base frame's axes A, the frames' origins Pa, Pb and the turn Q of the moved frame in the
 * base frame: A^T (Pb - Pa); and of Q = S T, where T turns about x and S has no part about x, the
 * angle of T (twist) and the y and z parts of S as a vector (swing). Their rates for a relative
 * spin w in the base frame's axes follow from Q' = w Q / 2; of the swing s = theta n, with
 * m = x * n:  s' = n (w.n) + m theta / tan(theta) (w.m) + m theta w_x.
 */
#include "families/joints/joints.h"

#include "base/exact_rotation.h"
#include "world/rest.h"

/* Nearer than this to where twist or swing lose their direction they answer nothing. */
#define LOST 1e-9

void joint_pose_of(const struct joint *joint, int side, const double place[3], const double turn[4],
                   struct joint_pose *pose)
{
    double r[9], own[4];
    rigid_rotation(turn, r);
    for (int k = 0; k < 3; ++k) {
        const double at[3] = {(double)joint->place[side][0], (double)joint->place[side][1],
                              (double)joint->place[side][2]};
        pose->origin[k] = place[k];
        pose->at[k] = place[k] + dot3(r + 3 * (size_t)k, at);
    }
    for (int k = 0; k < 4; ++k)
        own[k] = (double)joint->turn[side][k];
    rotation_unit(own);
    rotation_join(turn, own, pose->turn);
}

/* The unit quaternion of a rotation matrix. */
static void quaternion_of(const float m[9], double q[4])
{
    const double r[9] = {(double)m[0], (double)m[1], (double)m[2], (double)m[3], (double)m[4],
                         (double)m[5], (double)m[6], (double)m[7], (double)m[8]};
    const double trace = r[0] + r[4] + r[8];
    int i = r[0] >= r[4] ? 0 : 1;
    i = r[8] > r[4 * i] ? 2 : i;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > 0) {
        q[3] = 1 + trace;
        q[0] = r[7] - r[5];
        q[1] = r[2] - r[6];
        q[2] = r[3] - r[1];
    } else {
        q[i] = 1 + r[4 * i] - r[4 * j] - r[4 * k];
        q[j] = r[3 * i + j] + r[3 * j + i];
        q[k] = r[3 * i + k] + r[3 * k + i];
        q[3] = r[3 * k + j] - r[3 * j + k];
    }
    rotation_unit(q);
}

static void planned(const piola_world *w, uint32_t slot, uint32_t substep, double place[3],
                    double turn[4])
{
    const struct pose *pose = &world_poses(w)[(size_t)substep * collider_end(w) + slot];
    for (int k = 0; k < 3; ++k)
        place[k] = (double)pose->position[k];
    quaternion_of(pose->rotation, turn);
}

static const double origin[3] = {0, 0, 0}, straight[4] = {0, 0, 0, 1};

void joint_poses_begin(const struct step *step, const struct joint *joint,
                       struct joint_pose pose[2])
{
    const piola_world *w = step->world;
    for (int side = 0; side < 2; ++side) {
        const uint32_t slot = joint->slot[side] - 1;
        double place[3], turn[4];
        if (joint->slot[side] == 0) {
            joint_pose_of(joint, side, origin, straight, &pose[side]);
        } else if (rigid_moves(w, slot)) {
            const struct rigid_now *now = &world_rigid_now(w)[slot];
            joint_pose_of(joint, side, now->begin, now->turned, &pose[side]);
        } else {
            planned(w, slot, step->substep, place, turn);
            joint_pose_of(joint, side, place, turn, &pose[side]);
        }
    }
}

void joint_poses_end(const struct step *step, const struct joint *joint,
                     const struct joint_now *now, struct joint_pose pose[2])
{
    const piola_world *w = step->world;
    for (int side = 0; side < 2; ++side) {
        const struct joint_node *node =
            now->node[side] == JOINT_NONE ? NULL : &world_joint_nodes(w)[now->node[side]];
        double place[3], turn[4];
        if (joint->slot[side] == 0) {
            joint_pose_of(joint, side, origin, straight, &pose[side]);
        } else if (node && node->moves) {
            joint_pose_of(joint, side, node->end.at, node->end.turn, &pose[side]);
        } else {
            planned(w, joint->slot[side] - 1, step->substep + 1, place, turn);
            joint_pose_of(joint, side, place, turn, &pose[side]);
        }
    }
}

double joint_unwound(double twist, double before)
{
    const double whole = 6.28318530717958647692;
    const double turns = (before - twist) / whole;
    return twist + whole * (double)(int64_t)(turns + (turns < 0 ? -0.5 : 0.5));
}

/* Of the twist, in the base frame; and the turn about x alone. */
static void read_twist(const double q[4], struct joint_reading *out, double gradient[3],
                       double twist[4])
{
    const double square = q[0] * q[0] + q[3] * q[3], size = sqrt(square);
    double angle[3];
    const bool lost = !(size > LOST);
    const double made[4] = {lost ? 0 : q[0] / size, 0, 0, lost ? 1 : q[3] / size};
    memcpy(twist, made, sizeof made);
    rotation_vector(made, angle);
    out->value[3] = angle[0];
    gradient[0] = 1;
    gradient[1] = lost ? 0 : (q[3] * q[2] + q[0] * q[1]) / square;
    gradient[2] = lost ? 0 : (q[0] * q[2] - q[3] * q[1]) / square;
}

static void read_swing(const double s[4], struct joint_reading *out, double gradient[3][3])
{
    double vector[3], n[2] = {1, 0};
    rotation_vector(s, vector);
    out->value[4] = vector[1];
    out->value[5] = vector[2];
    out->cone = sqrt(vector[1] * vector[1] + vector[2] * vector[2]);
    const double half = sqrt(s[1] * s[1] + s[2] * s[2]), c = s[3] < 0 ? -s[3] : s[3];
    const double sine = 2 * half * c, cosine = 1 - 2 * half * half;
    double across = 1;
    if (out->cone > 1e-6) {
        n[0] = vector[1] / out->cone;
        n[1] = vector[2] / out->cone;
        across = sine > LOST ? out->cone * cosine / sine : 0;
    }
    const double m[2] = {-n[1], n[0]};
    for (int k = 0; k < 2; ++k) {
        gradient[k][0] = out->cone * m[k];
        for (int i = 0; i < 2; ++i)
            gradient[k][1 + i] = n[k] * n[i] + across * m[k] * m[i];
        gradient[2][1 + k] = n[k];
    }
    gradient[2][0] = 0;
}

static void read_turns(const struct joint_pose pose[2], const double r[9],
                       struct joint_reading *out)
{
    const double *a = pose[JOINT_BASE].turn;
    const double back[4] = {-a[0], -a[1], -a[2], a[3]};
    double q[4], twist[4], swing[4], gradient[4][3];
    rotation_join(back, pose[JOINT_MOVED].turn, q);
    read_twist(q, out, gradient[0], twist);
    for (int k = 0; k < 3; ++k)
        twist[k] = -twist[k];
    rotation_join(q, twist, swing);
    read_swing(swing, out, gradient + 1);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
            out->turning[k][i] = dot3(r + 3 * (size_t)i, gradient[k]);
    for (int i = 0; i < 3; ++i)
        out->swinging[i] = dot3(r + 3 * (size_t)i, gradient[3]);
}

void joint_read(const struct joint_pose pose[2], bool turns, struct joint_reading *out)
{
    double r[9];
    memset(out, 0, sizeof *out);
    rigid_rotation(pose[JOINT_BASE].turn, r);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) {
            out->axis[k][i] = r[3 * i + k];
            out->value[k] += r[3 * i + k] * (pose[JOINT_MOVED].at[i] - pose[JOINT_BASE].at[i]);
        }
    if (turns)
        read_turns(pose, r, out);
}

void joint_answer(const struct joint_pose pose[2], const struct joint_reading *reading,
                  uint32_t axis, double answer[2][6])
{
    const double *turning = axis == JOINT_CONE ? reading->swinging : reading->turning[axis % 3];
    memset(answer, 0, 2 * sizeof *answer);
    for (int side = 0; side < 2; ++side) {
        const double sign = side == JOINT_MOVED ? 1 : -1;
        double arm[3], moment[3];
        for (int k = 0; k < 3; ++k)
            arm[k] = pose[JOINT_MOVED].at[k] - pose[side].origin[k];
        if (axis < 3)
            cross3(arm, reading->axis[axis], moment);
        for (int k = 0; k < 3; ++k) {
            answer[side][k] = axis < 3 ? sign * reading->axis[axis][k] : 0;
            answer[side][3 + k] = sign * (axis < 3 ? moment[k] : turning[k]);
        }
    }
}
