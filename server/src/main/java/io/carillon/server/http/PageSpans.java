package io.carillon.server.http;

import io.carillon.telemetry.spans.CallTraces;
import io.carillon.telemetry.spans.Page;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The pages of applications, which may begin calls: the trace of such a call begins with its page.
 * Any thread.
 */
final class PageSpans extends Handler.Wrapper {
    private volatile @Nullable CallTraces traces;

    PageSpans(Handler pages) {
        super(pages);
    }

    /** From now on. */
    void follow(CallTraces all) {
        traces = all;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        CallTraces now = traces;
        if (now == null) {
            return super.handle(request, response, callback);
        }
        String path = request.getHttpURI().getCanonicalPath();
        Page page =
                now.page(request.getMethod(), path == null ? "/" : path, traceparent(request, now));
        Request.addCompletionListener(
                request,
                failure ->
                        page.ended(
                                response.getStatus(), failure == null ? null : failure.toString()));
        page.enter();
        try {
            return super.handle(request, response, callback);
        } finally {
            page.leave();
        }
    }

    private static @Nullable String traceparent(Request request, CallTraces traces) {
        return request.getConnectionMetaData().getRemoteSocketAddress()
                                instanceof InetSocketAddress remote
                        && traces.named(remote)
                ? request.getHeaders().get("traceparent")
                : null;
    }
}
