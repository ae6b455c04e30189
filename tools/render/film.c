#define _POSIX_C_SOURCE 200809L
#include "film.h"
#include "names.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool film_fail(taut_error *error, const char *path, const char *cause, int number)
{
    error->code = TAUT_BAD_ARGUMENT;
    error->index = -1;
    snprintf(error->text, sizeof error->text, "%.100s: %.100s%s%s", path, cause, number ? ": " : "",
             number ? strerror(number) : "");
    return false;
}

/* A GIF gets one palette for all its frames. Its times are in hundredths of a second, and it has at most 50 frames a
 * second. */
#define GIF_FILTER "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=sierra2_4a"

/* ffmpeg gets the name as "file:NAME". Otherwise it would take a leading dash for an option, and text before a colon
 * for a protocol. */
static int start(output *out, int input)
{
    extern char **environ;
    char size[32], rate[32], most[32], file[sizeof "file:" + sizeof out->part];
    bool gif = name_ends_with(out->path, ".gif");
    snprintf(size, sizeof size, "%dx%d", out->width, out->height);
    snprintf(rate, sizeof rate, "%.6g", out->fps);
    snprintf(most, sizeof most, "%.6g", out->fps < 50 ? out->fps : 50);
    snprintf(file, sizeof file, "file:%s", out->part);
    const char *mp4_words[] = {"ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size,
                               "-r", rate, "-i", "-", "-an", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264",
                               "-preset", "veryfast", "-crf", "19", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
                               "-f", "mp4", file, NULL};
    const char *gif_words[] = {"ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size,
                               "-r", rate, "-i", "-", "-filter_complex", GIF_FILTER, "-r", most, "-f", "gif",
                               file, NULL};
    posix_spawn_file_actions_t actions;
    int trouble = posix_spawn_file_actions_init(&actions);
    if (trouble) return trouble;
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    trouble = posix_spawnp(&out->ffmpeg, "ffmpeg", &actions, NULL, (char **)(gif ? gif_words : mp4_words), environ);
    posix_spawn_file_actions_destroy(&actions);
    return trouble;
}

/* ffmpeg makes the film in a folder beside its place. Nobody else can write to that folder or guess its name. */
static bool make_folder(output *out, taut_error *error)
{
    const char *slash = strrchr(out->path, '/');
    int length = slash ? (int)(slash - out->path) + 1 : 0;
    if (taut_file_is_stream(out->path)) return film_fail(error, out->path, "a film needs a file", 0);
    if ((size_t)snprintf(out->folder, sizeof out->folder, "%.*s.taut-XXXXXX", length, out->path) >= sizeof out->folder)
        return film_fail(error, out->path, "the name is too long", 0);
    if (!mkdtemp(out->folder)) return film_fail(error, out->path, "cannot be written", errno);
    snprintf(out->part, sizeof out->part, "%s/film", out->folder);
    return true;
}

bool film_open(output *out, taut_error *error)
{
    int ends[2];
    if (!make_folder(out, error)) return false;
    if (pipe(ends) != 0) {
        film_fail(error, out->path, "no pipe to ffmpeg", errno);
        rmdir(out->folder);
        return false;
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    signal(SIGPIPE, SIG_IGN); /* when ffmpeg dies, the write reports an error */
    int trouble = start(out, ends[0]);
    close(ends[0]);
    out->pipe = ends[1];
    if (!trouble) return true;
    out->ffmpeg = -1;
    close(ends[1]);
    out->pipe = -1;
    rmdir(out->folder);
    if (trouble == ENOENT)
        return film_fail(error, out->path, "films are made by ffmpeg; install the package ffmpeg", 0);
    return film_fail(error, out->path, "ffmpeg could not be started", trouble);
}

bool film_put(output *out, const picture *p, taut_error *error)
{
    const unsigned char *bytes = p->rgb;
    size_t left = 3 * (size_t)p->width * (size_t)p->height;
    while (left > 0) {
        ssize_t written = write(out->pipe, bytes, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return film_fail(error, out->path, "ffmpeg stopped early", 0);
        bytes += written;
        left -= (size_t)written;
    }
    return true;
}

bool film_close(output *out, bool keep, taut_error *error)
{
    int status = 0;
    if (out->ffmpeg < 0) return true;
    close(out->pipe);
    while (waitpid(out->ffmpeg, &status, 0) < 0 && errno == EINTR) continue;
    bool made = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    bool named = keep && made && rename(out->part, out->path) == 0;
    int number = errno;
    unlink(out->part);
    rmdir(out->folder);
    if (named || !keep) return true;
    return made ? film_fail(error, out->path, "cannot be written", number)
                : film_fail(error, out->path, "ffmpeg failed; its message is above", 0);
}
