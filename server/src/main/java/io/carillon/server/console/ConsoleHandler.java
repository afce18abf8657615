package io.carillon.server.console;

import io.carillon.protection.http.UnreadBodies;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The files of the console, which hold nothing of this server: what they show they ask for. They
 * are in memory, and answered on the threads of connections, so that the page comes whatever
 * applications do. Any thread; immutable.
 */
public final class ConsoleHandler extends Handler.Abstract.NonBlocking {
    /** Where it is. */
    public static final String ROOT = "/console";

    private static final String INDEX = ROOT + "/";

    /** Nothing from elsewhere, nothing inline, in nobody's frame. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none';"
                    + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final HttpFields SAFE =
            HttpFields.build()
                    .add("Content-Security-Policy", POLICY)
                    .add("X-Content-Type-Options", "nosniff")
                    .add("X-Frame-Options", "DENY")
                    .add("Referrer-Policy", "no-referrer")
                    .add("Cross-Origin-Opener-Policy", "same-origin")
                    .add("Cross-Origin-Resource-Policy", "same-origin")
                    .add("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
                    .asImmutable();

    private static final Map<String, String> TYPES =
            Map.of(
                    "index.html", "text/html;charset=utf-8",
                    "console.js", "text/javascript;charset=utf-8",
                    "console.css", "text/css;charset=utf-8",
                    "icon.svg", "image/svg+xml");

    private final Map<String, Asset> assets = new HashMap<>();
    private final Set<Connector> notHere;

    /** A file. */
    private record Asset(ByteBuffer content, String type, String mark) {}

    /**
     * @param notHere where applications have places of their own
     */
    public ConsoleHandler(Set<Connector> notHere) {
        this.notHere = Set.copyOf(notHere);
        TYPES.forEach((name, type) -> {
            byte[] bytes = read(name);
            String path = name.equals("index.html") ? INDEX : INDEX + name;
            assets.put(
                    path, new Asset(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), type, mark(bytes)));
        });
    }

    private static byte[] read(String name) {
        try (InputStream in = ConsoleHandler.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the console has no " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String mark(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return '"' + HexFormat.of().formatHex(hash, 0, 12) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (notHere.contains(request.getConnectionMetaData().getConnector())
                || !(path.equals(ROOT) || path.startsWith(INDEX))) {
            return false;
        }
        UnreadBodies.beforeAnswer(request, response);
        for (HttpField field : SAFE) {
            response.getHeaders().put(field);
        }
        Asset asset = assets.get(path);
        boolean looks = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (path.equals(ROOT) && looks) {
            response.getHeaders().put(HttpHeader.LOCATION, INDEX);
            return empty(response, callback, HttpStatus.FOUND_302);
        }
        if (!looks) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
            return empty(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405);
        }
        if (asset == null) {
            return empty(response, callback, HttpStatus.NOT_FOUND_404);
        }
        response.getHeaders().put(HttpHeader.ETAG, asset.mark());
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
        if (asset.mark().equals(request.getHeaders().get(HttpHeader.IF_NONE_MATCH))) {
            return empty(response, callback, HttpStatus.NOT_MODIFIED_304);
        }
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, asset.type());
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, asset.content().remaining());
        response.write(true, asset.content().duplicate(), callback);
        return true;
    }

    private static boolean empty(Response response, Callback callback, int status) {
        response.setStatus(status);
        response.write(true, ByteBuffer.allocate(0), callback);
        return true;
    }
}
