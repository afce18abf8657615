package io.carillon.protection.http;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Answers that go out ahead of the request's body. Jetty ends such a connection of HTTP/1.1 once
 * the answer has gone. RFC 9112 section 9.6: the answer has to say so, or the client sends its next
 * request into a connection that ends, and gets nothing.
 */
public final class UnreadBodies {
    private UnreadBodies() {}

    /** Called before an answer is written; any thread that reads no body of the request. */
    public static void beforeAnswer(Request request, Response response) {
        boolean ends =
                request.getConnectionMetaData().getHttpVersion().getVersion()
                        <= HttpVersion.HTTP_1_1.getVersion();
        if (ends && !request.consumeAvailable()) {
            response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
    }
}
