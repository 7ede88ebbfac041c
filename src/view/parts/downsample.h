/* view/parts/downsample.h — what is computed once, not in every frame, about the large matrices of
 * a trace: their values reduced to the pixels they cover, and their range. */
#ifndef VIEW_PARTS_DOWNSAMPLE_H
#define VIEW_PARTS_DOWNSAMPLE_H

#include "view/parts/matrix.h"

struct view_downsample_cache;

/* NULL: no memory; every frame computes it then. */
struct view_downsample_cache *view_downsample_cache_open(void);
void view_downsample_cache_close(struct view_downsample_cache *downsamples);

/* Releases a trace that is neither of these: its weights may be hundreds of megabytes. */
void view_downsample_cache_follow(struct view_downsample_cache *downsamples,
                                  const struct lab_trace *trace, const struct lab_trace *baseline);

/* "each dot: the largest of 3 × 3": what a pixel of the visible part of a matrix shows. NULL: each
 * cell has its own pixels. Owned by the frame's arena. */
const char *view_pool_text(struct view *view, const struct view_matrix *matrix);

/* The sum of every row, [rows], followed by that of every column, [cols]; valid until the frame is
 * drawn. NULL: no memory. */
const double *view_sums(struct view *view, const struct lab_matrix *matrix);

/* The scaled scores of a head, as the core computes them; masked: with −∞ where a key is hidden.
 * values NULL: they are not known, or there is no memory. */
struct lab_matrix view_scaled(struct view *view, size_t head, bool masked);

/* As lab_measure_range, cached. */
void view_range(const struct view *view, const struct lab_matrix *matrix, float *low, float *high);

/* As lab_measure_peak, cached. */
float view_peak(const struct view *view, const struct lab_matrix *matrix);

#endif
