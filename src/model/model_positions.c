/* model/model_positions.c — places of words: angles of rotary positions with their stretching,
 * sinusoids, buckets of distances. Computed in float32 where transformers does, so that the numbers
 * are those that a model was trained with. */
#include <math.h>
#include <stdlib.h>

#include "model/model_internal.h"

/* ---- rotary -------------------------------------------------------------------------------- */

static const double PI = 3.14159265358979323846;

/* Peng, Quesnelle, Fan and Shippole, YaRN (2023): pairs that turn often in the places of training
 * stay, those that turn seldom are stretched, between them a ramp. */
static float yarn_frequency(const struct model_rotary *rotary, size_t pair, float exact)
{
    const double wide = (double)rotary->divisor, places = (double)rotary->original;
    double low = wide * log(places / (rotary->high * 2 * PI)) / (2 * log(rotary->theta));
    double high = wide * log(places / (rotary->low * 2 * PI)) / (2 * log(rotary->theta));
    if (rotary->whole) {
        low = floor(low);
        high = ceil(high);
    }
    low = fmax(low, 0);
    high = fmin(high, wide - 1);
    high += low < high || low > high ? 0 : 0.001;
    const float ramp = ((float)pair - (float)low) / (float)(high - low);
    const float kept = 1 - fminf(fmaxf(ramp, 0), 1);
    return exact / (float)rotary->factor * (1 - kept) + exact * kept;
}

/* Llama 3.1: by the wavelength in the places of training. */
static float llama3_frequency(const struct model_rotary *rotary, float exact)
{
    const double places = (double)rotary->original;
    const double wavelength = 2 * PI / (double)exact;
    if (wavelength < places / rotary->high) {
        return exact;
    }
    if (wavelength > places / rotary->low) {
        return exact / (float)rotary->factor;
    }
    const float smooth =
        (float)((places / wavelength - rotary->low) / (rotary->high - rotary->low));
    return (1 - smooth) * exact / (float)rotary->factor + smooth * exact;
}

/* Of "dynamic" positions θ grows with a text that is longer than those of training, so that the
 * slowest pair turns as far as there. */
static double theta_of(const struct model_rotary *rotary, size_t of)
{
    const double share = (double)rotary->divisor;
    if (rotary->scaling != MODEL_SCALING_DYNAMIC || of <= rotary->original || !(share > 2)) {
        return rotary->theta;
    }
    const double longer = (double)of / (double)rotary->original;
    return rotary->theta * pow(rotary->factor * longer - (rotary->factor - 1), share / (share - 2));
}

float model_turn_speed(const struct model_rotary *rotary, size_t of, size_t pair)
{
    const float power = (float)(2 * pair) / (float)rotary->divisor;
    const float wave = (float)pow(theta_of(rotary, of), (double)power);
    const float exact = 1 / wave;
    switch (rotary->scaling) {
    case MODEL_SCALING_LINEAR:
        return exact / (float)rotary->factor;
    case MODEL_SCALING_LLAMA3:
        return llama3_frequency(rotary, exact);
    case MODEL_SCALING_YARN:
        return yarn_frequency(rotary, pair, exact);
    case MODEL_SCALING_LONGROPE:
        return 1 / (rotary->stretch[of > rotary->original ? 1 : 0][pair] * wave);
    case MODEL_SCALING_DYNAMIC:
    case MODEL_SCALING_NONE:
        break;
    }
    return exact;
}

void model_turns(const struct model_rotary *rotary, size_t of, size_t first, size_t count,
                 float *out)
{
    const size_t pairs = rotary->width / 2;
    const float magnitude = (float)rotary->magnitude;
    for (size_t p = 0; p < pairs; p++) {
        const float by = model_turn_speed(rotary, of, p);
        for (size_t i = 0; i < count; i++) {
            const float angle = (float)(first + i) * by;
            out[i * 2 * pairs + p] = (float)cos((double)angle) * magnitude;
            out[i * 2 * pairs + pairs + p] = (float)sin((double)angle) * magnitude;
        }
    }
}

void model_turn(const struct model_turning *turning, struct attn_matrix rows)
{
    const size_t pairs = turning->width / 2;
    const size_t apart = turning->neighbours ? 1 : pairs, step = turning->neighbours ? 2 : 1;
    for (size_t i = 0; i < rows.rows; i++) {
        const float *const cosine = turning->turns + i * 2 * pairs, *const sine = cosine + pairs;
        for (size_t h = 0; h < turning->heads; h++) {
            float *const head = rows.values + i * rows.stride + h * turning->d;
            for (size_t p = 0; p < pairs; p++) {
                float *const x = head + p * step, *const y = x + apart;
                const float was = *x;
                *x = was * cosine[p] - *y * sine[p];
                *y = *y * cosine[p] + was * sine[p];
            }
        }
    }
}

/* ---- sinusoids ----------------------------------------------------------------------------- */

void model_sines(const struct model_config *config, size_t counted, float *out)
{
    const size_t width = config->width, half = width / 2;
    const bool m2m = config->family->positions == MODEL_SINE_M2M;
    for (size_t p = 0; p < half; p++) {
        double angle = (double)counted * pow(10000.0, -2.0 * (double)p / (double)width);
        if (m2m) { /* in float32 there */
            const float by = expf((float)p * (float)-(log(10000.0) / (double)(half - 1)));
            angle = (double)((float)counted * by);
        }
        out[p] = (float)sin(angle);
        out[half + p] = (float)cos(angle);
    }
    if (width % 2 == 1) {
        out[width - 1] = 0;
    }
}

/* ---- buckets ------------------------------------------------------------------------------- */

size_t model_bucket(long distance, bool both_sides, size_t buckets, size_t farthest)
{
    size_t first = 0;
    if (both_sides) {
        buckets /= 2;
        first = distance > 0 ? buckets : 0;
        distance = labs(distance);
    } else {
        distance = distance < 0 ? -distance : 0;
    }
    const size_t exact = buckets / 2;
    if ((size_t)distance < exact) {
        return first + (size_t)distance;
    }
    const float share = logf((float)distance / (float)exact) /
                        (float)log((double)farthest / (double)exact) * (float)(buckets - exact);
    const size_t bucket = exact + (size_t)share;
    return first + (bucket < buckets ? bucket : buckets - 1);
}
