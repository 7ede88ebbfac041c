/* The features of the systems of portable programs, by the names that expat, jansson, libzip,
 * pixman, fontconfig and cairo give them: glibc 2.28 and Windows by MinGW, both of 64 bits. */
#ifndef PORTABLE_CONFIG_H
#define PORTABLE_CONFIG_H

#define STDC_HEADERS 1
#define HAVE_FCNTL_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_STDBOOL_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDIO_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRINGS_H 1
#define HAVE_STRING_H 1
#define HAVE_MEMORY_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_PARAM_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_TIME_H 1
#define HAVE_UNISTD_H 1
#define HAVE_DIRENT_H 1
#define HAVE_SCHED_H 1
#define HAVE_SIGNAL_H 1
#define HAVE_SETJMP_H 1
#define HAVE_FENV_H 1
#define HAVE_LIBGEN_H 1
#define HAVE_WCHAR_H 1
#define SIZEOF_CHAR 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_OFF_T 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOIDP 8
#define SIZEOF_VOID_P 8
#define ALIGNOF_DOUBLE 8
#define ALIGNOF_VOID_P 8

#define HAVE_FILENO 1
#define HAVE_FSEEKO 1
#define HAVE_FTELLO 1
#define HAVE_GETTIMEOFDAY 1
#define HAVE_MKSTEMP 1
#define HAVE_RAND 1
#define HAVE_SCHED_YIELD 1
#define HAVE_SNPRINTF 1
#define HAVE_STRCASECMP 1
#define HAVE_STRDUP 1
#define HAVE_STRERROR 1
#define HAVE_STRTOL 1
#define HAVE_STRTOLL 1
#define HAVE_STRTOULL 1
#define HAVE_VPRINTF 1
#define HAVE_PTHREAD 1

#ifdef _WIN32
#define SIZEOF_LONG 4
#define HAVE_IO_H 1
#define HAVE__CLOSE 1
#define HAVE__DUP 1
#define HAVE__FDOPEN 1
#define HAVE__FILENO 1
#define HAVE__SETMODE 1
#define HAVE__SNPRINTF 1
#define HAVE__STRDUP 1
#define HAVE__STRICMP 1
#define HAVE__STRTOI64 1
#define HAVE__STRTOUI64 1
#define HAVE__UMASK 1
#define HAVE__UNLINK 1
#define HAVE_STRICMP 1
#else
#define SIZEOF_LONG 8
#define _GNU_SOURCE 1
#define HAVE_BYTESWAP_H 1
#define HAVE_CLOCK_GETTIME 1
#define HAVE_CTIME_R 1
#define HAVE_DLFCN_H 1
#define HAVE_DRAND48 1
#define HAVE_ENDIAN_H 1
#define HAVE_FSTATFS 1
#define HAVE_FSTATVFS 1
#define HAVE_GETPAGESIZE 1
#define HAVE_GETRANDOM 1
#define HAVE_GMTIME_R 1
#define HAVE_LINK 1
#define HAVE_LOCALECONV 1
#define HAVE_LOCALTIME_R 1
#define HAVE_LRAND48 1
#define HAVE_LSTAT 1
#define HAVE_MKDTEMP 1
#define HAVE_MKOSTEMP 1
#define HAVE_MMAP 1
#define HAVE_NEWLOCALE 1
#define HAVE_POSIX_FADVISE 1
#define HAVE_RANDOM 1
#define HAVE_RANDOM_R 1
#define HAVE_RAND_R 1
#define HAVE_READLINK 1
#define HAVE_STRNDUP 1
#define HAVE_STRTOD_L 1
#define HAVE_STRUCT_DIRENT_D_TYPE 1
#define HAVE_STRUCT_STATFS_F_FLAGS 1
#define HAVE_STRUCT_STAT_ST_MTIM 1
#define HAVE_STRUCT_TM_TM_ZONE 1
#define HAVE_SYS_IOCTL_H 1
#define HAVE_SYS_MMAN_H 1
#define HAVE_SYS_MOUNT_H 1
#define HAVE_SYS_STATFS_H 1
#define HAVE_SYS_STATVFS_H 1
#define HAVE_SYS_VFS_H 1
#define HAVE_SYS_WAIT_H 1
#define HAVE_WAITPID 1
#endif

/* The compiler: clang. */
#define HAVE_ATOMIC_BUILTINS 1
#define HAVE_BUILTIN_CLZ 1
#define HAVE_CXX11_ATOMIC_PRIMITIVES 1
#define HAVE_GCC_VECTOR_EXTENSIONS 1
#define HAVE_STDATOMIC_PRIMITIVES 1
#define HAVE_SYNC_BUILTINS 1
#define HAVE_UINT128_T 0
#define HAVE_UINT64_T 1
#define HAVE___UINT128_T 1
#define TLS __thread
#define TOOLCHAIN_SUPPORTS_ATTRIBUTE_CONSTRUCTOR 1
#define WARN_UNUSED_RESULT __attribute__((__warn_unused_result__))
#define FLEXIBLE_ARRAY_MEMBER

/* expat */
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1

/* pixman, cairo */
#define HAVE_PTHREADS 1
#define PACKAGE "portable"
#define HAS_PIXMAN_GLYPHS 1
#define HAVE_ZLIB 1
#define FT_HAS_COLOR 1
#define HAVE_FCFINI 1
#define HAVE_FCINIT 1
#ifndef _WIN32
#define CAIRO_HAS_PTHREAD 1
#define CAIRO_HAS_REAL_PTHREAD 1
#endif

/* The functions of FreeType 2.12. */
#define HAVE_FT_DONE_MM_VAR 1
#define HAVE_FT_GET_BDF_PROPERTY 1
#define HAVE_FT_GET_PS_FONT_INFO 1
#define HAVE_FT_GET_VAR_DESIGN_COORDINATES 1
#define HAVE_FT_GET_X11_FONT_FORMAT 1
#define HAVE_FT_GLYPHSLOT_EMBOLDEN 1
#define HAVE_FT_GLYPHSLOT_OBLIQUE 1
#define HAVE_FT_HAS_PS_GLYPH_NAMES 1
#define HAVE_FT_LIBRARY_SETLCDFILTER 1
#define HAVE_FT_LOAD_SFNT_TABLE 1

/* fontconfig: where fonts are on a system that has no configuration for it. */
#define FC_ADD_FONTS "yes"
#define FC_ARCHITECTURE "le64"
#define FC_FONTPATH ""
#define FC_GPERF_SIZE_T size_t
#ifdef _WIN32
#define FC_DEFAULT_FONTS "\t<dir>WINDOWSFONTDIR</dir>\n\t<dir>WINDOWSUSERFONTDIR</dir>\n"
#define FC_CACHEDIR "LOCAL_APPDATA_FONTCONFIG_CACHE"
#define FC_TEMPLATEDIR ""
#define CONFIGDIR "conf.d"
#define FONTCONFIG_PATH ""
#else
#define FC_DEFAULT_FONTS "\t<dir>/usr/share/fonts</dir>\n\t<dir>/usr/local/share/fonts</dir>\n"
#define FC_CACHEDIR "/var/cache/fontconfig"
#define FC_TEMPLATEDIR "/usr/share/fontconfig/conf.avail"
#define CONFIGDIR "/etc/fonts/conf.d"
#define FONTCONFIG_PATH "/etc/fonts"
#endif

#endif
