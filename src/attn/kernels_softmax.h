/* attn/kernels_softmax.h — powers, scale and mask, softmax: what is done to a row of scores.
 *
 * A part of kernels_tmpl.c. */
#ifndef ATTN_KERNELS_SOFTMAX_H
#define ATTN_KERNELS_SOFTMAX_H

/* e^(x − max), max ≥ x, to 2 ulp and down into the subnormal numbers; 0 below e^−104.
 *
 * x − max is taken as d + error, exactly (Knuth, The Art of Computer Programming, volume 2, 4.2.2,
 * theorem B): far from the maximum, rounding the difference alone would cost |d| / 2 ulp.
 * Then 2^k · e^r with |r| ≤ ln 2 / 2; ln 2 in two parts of which the first, times k, is exact (Cody
 * and Waite, Software Manual for the Elementary Functions, 1980). e^r = 1 + (r + r²·(…)), the
 * bracket by Remez' exchange, within 5·10⁻⁹ of e^r. 2^k is multiplied in two steps, for it may be
 * subnormal. */
VEC_INLINE vec power(vec x, vec max) {
    const vec d = x - max;
    const vec back = d - x;
    const vec error = (x - (d - back)) - (max + back);

    const vec shift =
        vec_splat(0x1.8p23F); /* added, leaves the nearest whole number in the low bits */
    const vec shifted = vec_fma(d, vec_splat(0x1.715476p0F), shift);
    const vec k = shifted - shift;
    vec r = vec_fma(k, vec_splat(-0x1.63p-1F), d);
    r = vec_fma(k, vec_splat(0x1.bd0106p-13F), r) + error;

    vec bracket = vec_fma(r, vec_splat(0x1.6a2352p-10F), vec_splat(0x1.123a6cp-7F));
    bracket = vec_fma(r, bracket, vec_splat(0x1.5558f4p-5F));
    bracket = vec_fma(r, bracket, vec_splat(0x1.55549p-3F));
    bracket = vec_fma(r, bracket, vec_splat(0x1.fffffcp-2F));
    const vec e_r = vec_fma(r * r, bracket, r) + vec_splat(1);

    const bits exponent = (bits)shifted - (bits)shift;
    const lanes deep = d < vec_splat(-87);
    if (!vec_any(deep)) {
        return e_r * (vec)((exponent + 127) << 23);
    }
    const bits half = (bits)((lanes)exponent >> 1);
    const bits rest = exponent - half;
    const vec scaled = e_r * (vec)((half + 127) << 23) * (vec)((rest + 127) << 23);
    return vec_select(d < vec_splat(-104), vec_splat(0), scaled);
}

VEC_INLINE float sum_of_lanes(vec a) {
    float values[WIDTH];
    vec_store(values, a);
    UNROLL for (int half = WIDTH / 2; half > 0; half /= 2) {
        UNROLL for (int i = 0; i < half; i++) {
            values[i] += values[i + half];
        }
    }
    return values[0];
}

VEC_INLINE float max_of_lanes(vec a) {
    float values[WIDTH];
    vec_store(values, a);
    UNROLL for (int half = WIDTH / 2; half > 0; half /= 2) {
        UNROLL for (int i = 0; i < half; i++) {
            values[i] = values[i + half] > values[i] ? values[i + half] : values[i];
        }
    }
    return values[0];
}

/* The scores of a row from col on, as many as a register holds; behind the last stands −∞. */
VEC_INLINE vec load_scores(const float *row, size_t col, size_t cols) {
    if (cols - col >= WIDTH) {
        return vec_load(row + col);
    }
    const vec scores = vec_load_part(row + col, vec_part_of(cols - col));
    return vec_select(vec_first(cols - col), scores, vec_splat(-INFINITY));
}

/* The same times scale; behind the last stands −∞ whatever the scale. */
VEC_INLINE vec load_scaled(const float *row, size_t col, size_t cols, vec scale) {
    if (cols - col >= WIDTH) {
        return vec_load(row + col) * scale;
    }
    const vec scaled = vec_load_part(row + col, vec_part_of(cols - col)) * scale;
    return vec_select(vec_first(cols - col), scaled, vec_splat(-INFINITY));
}

VEC_INLINE void store_scores(float *row, size_t col, size_t cols, vec scores) {
    if (cols - col >= WIDTH) {
        vec_store(row + col, scores);
    } else {
        vec_store_part(row + col, vec_part_of(cols - col), scores);
    }
}

/* Which of the keys from col on are seen. */
VEC_INLINE lanes load_seen(const uint8_t *visible, size_t col, size_t cols) {
    if (cols - col >= WIDTH) {
        return vec_seen(visible + col);
    }
    lanes seen = {0};
    for (size_t j = 0; j < cols - col; j++) {
        seen[j] = visible[col + j];
    }
    return seen != 0;
}

static void vec_scale_mask(struct attn_matrix s, float factor, struct attn_mask mask) {
    const vec scale = vec_splat(factor);
    for (size_t i = 0; i < s.rows; i++) {
        float *row = s.values + i * s.stride;
        for (size_t col = 0; col < s.cols; col += WIDTH) {
            vec scaled = load_scores(row, col, s.cols) * scale;
            if (mask.visible != NULL) {
                const lanes seen = load_seen(mask.visible + i * mask.stride, col, s.cols);
                scaled = vec_select(seen, scaled, vec_splat(-INFINITY));
            }
            store_scores(row, col, s.cols, scaled);
        }
    }
}

/* row = e^(row · factor − max), in place. Returns what each must be multiplied by to be a share; 0
 * for a row of nothing but −∞. The powers of lane col are summed in chain (col / WIDTH) mod 4, so
 * that −∞ at the end of a row change no bit of the sum. */
static float powers_of_row(float *row, size_t cols, float factor) {
    const vec scale = vec_splat(factor);
    vec largest[2] = {vec_splat(-INFINITY), vec_splat(-INFINITY)};
    lanes unknown = {0};
    size_t col = 0;
    for (; cols - col >= 2 * WIDTH; col += 2 * WIDTH) {
        UNROLL for (int i = 0; i < 2; i++) {
            const vec x = vec_load(row + col + i * WIDTH) * scale;
            largest[i] = vec_max(largest[i], x);
            unknown |= x != x;
        }
    }
    for (; col < cols; col += WIDTH) {
        const vec x = load_scaled(row, col, cols, scale);
        largest[0] = vec_max(largest[0], x);
        unknown |= x != x;
    }
    const float max = max_of_lanes(vec_max(largest[0], largest[1]));
    if (vec_any(unknown) || max == -INFINITY || max == INFINITY) {
        for (size_t j = 0; j < cols; j++) {
            row[j] *= factor;
        }
        return share_without_formula(row, cols, vec_any(unknown) ? NAN : max);
    }
    if (cols <= WIDTH) {
        const vec e = power(load_scaled(row, 0, cols, scale), vec_splat(max));
        store_scores(row, 0, cols, e);
        return 1 / sum_of_lanes(e);
    }
    vec sums[4] = {vec_splat(0), vec_splat(0), vec_splat(0), vec_splat(0)};
    col = 0;
    for (; cols - col >= 4 * WIDTH; col += 4 * WIDTH) {
        UNROLL for (int i = 0; i < 4; i++) {
            const vec e = power(vec_load(row + col + i * WIDTH) * scale, vec_splat(max));
            vec_store(row + col + i * WIDTH, e);
            sums[i] += e;
        }
    }
    for (size_t i = 0; col < cols; col += WIDTH, i++) {
        const vec e = power(load_scaled(row, col, cols, scale), vec_splat(max));
        store_scores(row, col, cols, e);
        sums[i] += e;
    }
    return 1 / sum_of_lanes((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

/* to = from · factor */
static void scale_row(const float *from, float *to, size_t cols, float factor) {
    const vec scale = vec_splat(factor);
    size_t col = 0;
    for (; cols - col >= 2 * WIDTH; col += 2 * WIDTH) {
        const vec x = vec_load(from + col), y = vec_load(from + col + WIDTH);
        vec_store(to + col, x * scale);
        vec_store(to + col + WIDTH, y * scale);
    }
    for (; col < cols; col += WIDTH) {
        store_scores(to, col, cols, load_scores(from, col, cols) * scale);
    }
}

/* A row that fits a register; false, and nothing done, where the formula has no answer. */
VEC_INLINE bool softmax_short(float *row, size_t cols) {
    const vec x = load_scores(row, 0, cols);
    const float max = max_of_lanes(x);
    if (vec_any(x != x) || !(max > -INFINITY && max < INFINITY)) {
        return false;
    }
    const vec e = power(x, vec_splat(max));
    store_scores(row, 0, cols, e * vec_splat(1 / sum_of_lanes(e)));
    return true;
}

static size_t vec_softmax(struct attn_matrix s) {
    size_t empty = 0;
    for (size_t i = 0; i < s.rows; i++) {
        float *row = s.values + i * s.stride;
        if (s.cols <= WIDTH && softmax_short(row, s.cols)) {
            continue;
        }
        const float share = powers_of_row(row, s.cols, 1);
        scale_row(row, row, s.cols, share);
        empty += share == 0 ? 1 : 0;
    }
    return empty;
}

#endif
