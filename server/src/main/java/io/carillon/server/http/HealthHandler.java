package io.carillon.server.http;

import io.carillon.protection.http.UnreadBodies;
import io.carillon.server.health.Health;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers probes: 200 when all is well, else 503, with the checks as JSON. Without a token, as
 * probes have none. Runs on the threads of connections, which no page of an application takes.
 */
final class HealthHandler extends Handler.Abstract.NonBlocking {
    private final Map<String, Supplier<Health>> probes;
    private final Set<Connector> notHere;
    private final @Nullable Connector nothingElse;

    /**
     * @param probes by path
     * @param notHere where applications have every path
     * @param nothingElse where probes are all that is answered, or null
     */
    HealthHandler(
            Map<String, Supplier<Health>> probes,
            Set<Connector> notHere,
            @Nullable Connector nothingElse) {
        this.probes = Map.copyOf(probes);
        this.notHere = Set.copyOf(notHere);
        this.nothingElse = nothingElse;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Connector connector = request.getConnectionMetaData().getConnector();
        Supplier<Health> probe =
                notHere.contains(connector) ? null : probes.get(Request.getPathInContext(request));
        if (probe == null) {
            if (connector != nothingElse) {
                return false;
            }
            UnreadBodies.beforeAnswer(request, response);
            response.setStatus(HttpStatus.NOT_FOUND_404);
            Content.Sink.write(response, true, "Only probes are answered here.\n", callback);
            return true;
        }
        Health health = probe.get();
        UnreadBodies.beforeAnswer(request, response);
        response.setStatus(health.up() ? HttpStatus.OK_200 : HttpStatus.SERVICE_UNAVAILABLE_503);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        Content.Sink.write(response, true, health.json() + "\n", callback);
        return true;
    }
}
