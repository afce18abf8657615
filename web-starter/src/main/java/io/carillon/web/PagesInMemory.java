package io.carillon.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourcePatternResolver;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;

/**
 * The files below {@code static/} and {@code META-INF/resources/carillon/} as bytes, read once:
 * Spring looks each one up in the archive with every request, which costs more than all else of a
 * page. Answers GET and HEAD, compressed where the browser takes it, 304 to one that has the file
 * already; everything else goes on. Immutable, any thread.
 */
final class PagesInMemory implements Filter {
    private static final int MOST_BYTES = 16 << 20;
    private static final int WORTH_COMPRESSING = 512;
    private static final String[] ROOTS = {"static/", "META-INF/resources/carillon/"};
    private static final String[] PATHS = {"/", "/carillon/"};

    /** A file, compressed too where that is shorter. */
    private static final class Page {
        private final String type;
        private final String tag;
        private final byte[] plain;
        private final byte[] compressed;

        Page(String type, String tag, byte[] plain, byte[] compressed) {
            this.type = type;
            this.tag = tag;
            this.plain = plain;
            this.compressed = compressed;
        }
    }

    private final Map<String, Page> pages = new HashMap<>();

    /**
     * Reads the files.
     *
     * @throws IllegalStateException when they are more than 16 MiB together: such a site belongs
     *     behind a server of its own
     */
    PagesInMemory(ResourcePatternResolver files) throws IOException {
        long bytes = 0;
        for (int i = 0; i < ROOTS.length; i++) {
            for (Resource file : files.getResources("classpath*:/" + ROOTS[i] + "**")) {
                if (!file.isReadable() || file.getFilename() == null) {
                    continue; // a folder
                }
                byte[] content = file.getContentAsByteArray();
                bytes += content.length;
                if (bytes > MOST_BYTES) {
                    throw new IllegalStateException(
                            "carillon.web.pages-in-memory: the pages are more than 16 MiB");
                }
                add(PATHS[i] + below(file, ROOTS[i]), file, content);
            }
        }
    }

    private static String below(Resource file, String root) throws IOException {
        String url = file.getURL().toString();
        return url.substring(url.lastIndexOf(root) + root.length());
    }

    private void add(String path, Resource file, byte[] content) throws IOException {
        String type =
                MediaTypeFactory.getMediaType(file)
                        .orElse(MediaType.APPLICATION_OCTET_STREAM)
                        .toString();
        if (type.startsWith("text/") || type.endsWith("javascript")) {
            type += ";charset=UTF-8";
        }
        byte[] compressed = content.length < WORTH_COMPRESSING ? content : compressed(content);
        Page page =
                new Page(
                        type,
                        '"' + digest(content) + '"',
                        content,
                        compressed.length < content.length ? compressed : content);
        // What stands first on the class path wins, as in Spring.
        pages.putIfAbsent(path, page);
        if (path.endsWith("/index.html")) {
            // Spring has that for "/" alone, and sends an empty file for another folder of an
            // archive.
            pages.putIfAbsent(path.substring(0, path.length() - "index.html".length()), page);
        }
    }

    private static byte[] compressed(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    private static String digest(byte[] content) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(whole, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest asked
                && response instanceof HttpServletResponse answer) {
            String method = asked.getMethod();
            boolean get = method.equals("GET");
            if (get || method.equals("HEAD")) {
                Page page = pages.get(path(asked));
                if (page != null) {
                    send(page, asked, answer, get);
                    return;
                }
            }
        }
        chain.doFilter(request, response);
    }

    private static String path(HttpServletRequest asked) {
        String uri = asked.getRequestURI();
        String context = asked.getContextPath();
        return context.isEmpty() ? uri : uri.substring(context.length());
    }

    private static void send(
            Page page, HttpServletRequest asked, HttpServletResponse answer, boolean withBody)
            throws IOException {
        answer.setHeader(HttpHeaders.ETAG, page.tag);
        answer.setHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        answer.setHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        if (page.tag.equals(asked.getHeader(HttpHeaders.IF_NONE_MATCH))) {
            answer.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        String accepted = asked.getHeader(HttpHeaders.ACCEPT_ENCODING);
        boolean compress =
                page.compressed != page.plain && accepted != null && accepted.contains("gzip");
        byte[] body = compress ? page.compressed : page.plain;
        if (compress) {
            answer.setHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        answer.setContentType(page.type);
        answer.setContentLength(body.length);
        if (withBody) {
            answer.getOutputStream().write(body);
        }
    }
}
