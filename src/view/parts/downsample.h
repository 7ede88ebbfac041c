/* view/parts/downsample.h — what is found out about the large matrices of a trace once and
 * not in every frame: their values as few as the pixels they cover, and how large they are. */
#ifndef VIEW_PARTS_DOWNSAMPLE_H
#define VIEW_PARTS_DOWNSAMPLE_H

#include "view/parts/matrix.h"

struct view_downsample_cache;

/* NULL: no memory, and every frame finds it out itself. */
struct view_downsample_cache *view_downsample_cache_open(void);
void view_downsample_cache_close(struct view_downsample_cache *downsamples);

/* Lets go of a trace that is neither of these: its weights may be hundreds of megabytes. */
void view_downsample_cache_follow(struct view_downsample_cache *downsamples,
                                  const struct lab_trace *trace, const struct lab_trace *baseline);

/* "each dot: the largest of 3 × 3": what the pixels of what is seen of a matrix stand for. NULL:
 * each cell has pixels of its own. Owned by the frame's arena. */
const char *view_pool_text(struct view *view, const struct view_matrix *matrix);

/* The sum of every row, [rows], and behind them that of every column, [cols]; until the frame is
 * drawn. NULL: no memory. */
const double *view_sums(struct view *view, const struct lab_matrix *matrix);

/* The scores of a head times the factor: as the core scales them; masked: and −∞ where a key is
 * hidden. values NULL: they are not known, or there is no memory. */
struct lab_matrix view_scaled(struct view *view, size_t head, bool masked);

/* As lab_measure_range. */
void view_range(const struct view *view, const struct lab_matrix *matrix, float *low, float *high);

/* As lab_measure_peak. */
float view_peak(const struct view *view, const struct lab_matrix *matrix);

#endif
