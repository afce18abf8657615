package io.carillon.server.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Versions that have lost their path to a newer one, or are out of service: a request that belongs
 * to a session of theirs still goes to them, every other to whoever has the path now. On threads of
 * HTTP requests; filled and emptied by deploying threads.
 */
final class OlderVersions extends Handler.Wrapper {
    private final List<ContextVersion> versions = new CopyOnWriteArrayList<>();

    /**
     * @param newest the contexts that have a path now
     */
    OlderVersions(Handler newest) {
        super(newest);
    }

    void add(ContextVersion version) {
        if (!versions.contains(version)) {
            versions.add(version);
        }
    }

    void remove(ContextVersion version) {
        versions.remove(version);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        for (ContextVersion version : versions) {
            if (version.owns(request) && version.handle(request, response, callback)) {
                return true;
            }
        }
        return super.handle(request, response, callback);
    }
}
