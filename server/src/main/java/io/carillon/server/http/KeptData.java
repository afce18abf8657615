package io.carillon.server.http;

import io.carillon.servlet.feature.http.WebSessions;
import io.carillon.servlet.feature.http.WebSessions.KeptSessions;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.PageRecord;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.jetty.session.AbstractSessionDataStore;
import org.eclipse.jetty.session.SessionData;
import org.jspecify.annotations.Nullable;

/**
 * Where Jetty keeps the HTTP sessions of one web context: in the store of calls, where the
 * application is distributable and the server in a cluster; else nowhere. Threads of HTTP requests,
 * and Jetty's scavenger.
 */
final class KeptData extends AbstractSessionDataStore {
    /** A request that changes nothing is written no more often than that. */
    private static final int SAVE_SECONDS = 10;

    private final WebSessions sessions;
    private final Function<String, @Nullable ApplicationSession> owners;

    /**
     * @param owners the application session that an HTTP session of this node belongs to
     */
    KeptData(WebSessions sessions, Function<String, @Nullable ApplicationSession> owners) {
        this.sessions = sessions;
        this.owners = owners;
        setSavePeriodSec(SAVE_SECONDS);
    }

    /** What was read of another node's. */
    static final class Read extends SessionData {
        private static final long serialVersionUID = 1L;

        /** Id of the application session that it belongs to; null for none. */
        final transient @Nullable String owner;

        private Read(String id, String path, @Nullable String host, PageRecord page) {
            super(
                    id,
                    path,
                    host,
                    page.createdMillis(),
                    page.accessedMillis(),
                    page.lastAccessedMillis(),
                    page.inactiveMillis());
            owner = page.owner();
        }
    }

    @Override
    public boolean isPassivating() {
        return false; // its attributes are live objects here
    }

    @Override
    public void doStore(String id, SessionData data, long lastSaved) {
        KeptSessions kept = sessions.kept();
        if (kept != null) {
            ApplicationSession found = owners.apply(id);
            ApplicationSession owner = found == null || !found.isValid() ? null : found;
            kept.write(
                    id,
                    new PageRecord(
                            data.getCreated(),
                            data.getAccessed(),
                            data.getLastAccessed(),
                            data.getMaxInactiveMs(),
                            owner == null ? null : owner.getId(),
                            owner == null ? null : CallPartition.place(owner),
                            Map.copyOf(data.getAllAttributes())));
        }
    }

    @Override
    public @Nullable SessionData doLoad(String id) {
        KeptSessions kept = sessions.kept();
        PageRecord page = kept == null ? null : kept.read(id);
        if (page == null) {
            return null;
        }
        Read read = new Read(id, _context.getCanonicalContextPath(), _context.getVhost(), page);
        read.setLastNode(_context.getWorkerName());
        read.calcAndSetExpiry();
        read.putAllAttributes(page.attributes());
        read.setLastSaved(page.accessedMillis());
        read.setDirty(false);
        return read;
    }

    @Override
    public boolean delete(String id) {
        KeptSessions kept = sessions.kept();
        if (kept != null) {
            kept.remove(id);
        }
        return kept != null;
    }

    @Override
    public boolean doExists(String id) {
        KeptSessions kept = sessions.kept();
        return kept != null && kept.read(id) != null;
    }

    /** Whoever serves a session knows when its time is over. */
    @Override
    public Set<String> doCheckExpired(Set<String> candidates, long time) {
        return candidates;
    }

    @Override
    public Set<String> doGetExpired(long time) {
        return Set.of();
    }

    @Override
    public void doCleanOrphans(long time) {
        KeptSessions kept = sessions.kept();
        if (kept != null) {
            kept.sweep();
        }
    }
}
