package io.carillon.servlet.session;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.Unsupported;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.store.AttributeCodec;
import io.carillon.servlet.timer.ApplicationTimer;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.stack.Shard;
import io.carillon.sip.time.WheelTimer;
import io.carillon.sip.uri.SipUri;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * An application session: the unit of serial execution, and the owner of its sessions and timers.
 *
 * <p>Owner of all fields: whoever holds its turn ({@link Turn}); the few that other threads read
 * are volatile. Its timers lie on the wheel of {@link #home}; the wheel is told by command.
 */
public final class ApplicationSession extends Turn implements SipApplicationSession, Executor {
    private static final long NANOS_PER_MINUTE = 60_000_000_000L;
    private static final long MILLIS_PER_MINUTE = 60_000L;
    private static final int VERSION = 1;
    private static final int MAX_CHILDREN = 10_000;

    /** Stands in a session that is being read until its own addresses are. */
    private static final NameAddress NOBODY = NameAddress.of(SipUri.of(null, "invalid", -1));

    private final SipContainer container;
    private final Application application;
    private final Shard home;
    private final String id;
    private final @Nullable String key;
    private final long createdAtMillis;

    private final ArrayList<ServletSession> sessions = new ArrayList<>(2);
    private volatile @Nullable Attributes attributes;
    private @Nullable ArrayList<ApplicationTimer> timers;
    private @Nullable Expiry expiry;
    private volatile long accessedAtMillis;
    private volatile int minutes;
    private int nextOrdinal;
    private volatile boolean valid = true;
    private volatile boolean invalidateWhenReady;
    private boolean announced;
    private boolean looksReady;
    private boolean expired;

    /**
     * The wheel's side of the expiry: one node, moved lazily, so that a message costs no wheel
     * work. Home shard only.
     */
    private final class Expiry extends WheelTimer {
        @Override
        protected void fire(long nowNanos) {
            if (!valid || minutes <= 0) {
                return;
            }
            long leftMillis = expiresAtMillis() - container.millis();
            if (leftMillis > 0) {
                home.timers().schedule(this, nowNanos + leftMillis * 1_000_000L);
            } else {
                submit(new Expired());
            }
        }
    }

    private final class Expired extends TurnTask {
        @Override
        protected void run() {
            expire();
        }
    }

    public ApplicationSession(
            SipContainer container,
            Application application,
            Shard home,
            String id,
            @Nullable String key) {
        this.container = container;
        this.application = application;
        this.home = home;
        this.id = id;
        this.key = key;
        this.createdAtMillis = container.millis();
        this.accessedAtMillis = createdAtMillis;
        this.minutes = Math.max(0, application.description().sessionTimeoutMinutes());
        this.invalidateWhenReady = application.description().invalidateWhenReady();
    }

    /** Called once, after the session is in the tables. */
    public void created() {
        armExpiry();
    }

    /**
     * Tells the listeners of the creation, once; with the turn held, or where nobody else has the
     * session yet.
     */
    public void announce() {
        if (!announced) {
            announced = true;
            container.events().created(this);
        }
    }

    public SipContainer container() {
        return container;
    }

    public Application application() {
        return application;
    }

    public Shard home() {
        return home;
    }

    public @Nullable String key() {
        return key;
    }

    // ---- the turn ----

    /** Does the application run to completion on the shards? */
    public boolean nonBlocking() {
        return application.description().execution() == ExecutionMode.NON_BLOCKING;
    }

    @Override
    protected void schedule() {
        if (nonBlocking()) {
            home.executor().execute(this);
        } else {
            container.threads().execute(this);
        }
    }

    @Override
    protected boolean mayRunHere() {
        return nonBlocking() && container.inShard();
    }

    @Override
    protected boolean onEventLoop() {
        return container.inShard();
    }

    @Override
    protected void turnEnded() {
        if (looksReady && valid) {
            looksReady = false;
            endWhatIsReady();
        }
        container.store().turnEnded(this);
    }

    @Override
    protected void failed(TurnTask task, Throwable error) {
        container.errors().containerFailed(application.name(), error);
    }

    /** Runs the command in the turn. */
    @Override
    public void execute(Runnable command) {
        submit(
                new TurnTask() {
                    @Override
                    protected void run() {
                        command.run();
                    }
                });
    }

    /** Runs on the event loop of the home shard: here when this is it. */
    public void onHome(Runnable command) {
        if (home.executor().inShard()) {
            command.run();
        } else {
            home.executor().execute(command);
        }
    }

    // ---- children ----

    /** The next number of a child: sessions and timers are named by it. */
    public int nextOrdinal() {
        return nextOrdinal++;
    }

    public void add(ServletSession session) {
        sessions.add(session);
    }

    /** The valid sessions; not to be changed by the caller. */
    public List<ServletSession> sessions() {
        return sessions;
    }

    void remove(ServletSession session) {
        sessions.remove(session);
        looksReady = true;
    }

    public void add(ApplicationTimer timer) {
        ArrayList<ApplicationTimer> list = timers;
        if (list == null) {
            list = new ArrayList<>(2);
            timers = list;
        }
        list.add(timer);
    }

    public void remove(ApplicationTimer timer) {
        ArrayList<ApplicationTimer> list = timers;
        if (list != null && list.remove(timer)) {
            if (list.isEmpty()) {
                timers = null;
            }
            looksReady = true;
        }
    }

    /** Something happened that may have made a child ready: looked at when the turn's work ends. */
    void mayBeReady() {
        looksReady = true;
    }

    private void endWhatIsReady() {
        for (int i = sessions.size() - 1; i >= 0 && valid; i--) {
            if (i < sessions.size()) {
                sessions.get(i).endIfReady();
            }
        }
        if (valid && isReadyToInvalidate()) {
            if (invalidateWhenReady) {
                container.events().readyToInvalidate(this);
            }
            // The listener may have taken the flag back, begun a request or set a timer.
            if (valid && invalidateWhenReady && isReadyToInvalidate()) {
                end();
            }
        }
    }

    // ---- expiry ----

    /** JSR 289 6.3: whenever the last accessed time changes, the expiry timer starts anew. */
    public void touch() {
        accessedAtMillis = container.millis();
    }

    private long expiresAtMillis() {
        return accessedAtMillis + minutes * MILLIS_PER_MINUTE;
    }

    private void armExpiry() {
        if (minutes > 0) {
            onHome(this::scheduleExpiry);
        }
    }

    private void scheduleExpiry() {
        Expiry timer = expiry;
        if (timer == null) {
            timer = new Expiry();
            expiry = timer;
        }
        if (valid && minutes > 0) {
            home.timers().schedule(timer, home.now() + minutes * NANOS_PER_MINUTE);
        }
    }

    private void cancelExpiry() {
        Expiry timer = expiry;
        if (timer != null) {
            home.timers().cancel(timer);
        }
    }

    private void expire() {
        if (!valid || minutes <= 0 || expiresAtMillis() > container.millis()) {
            return;
        }
        expired = true;
        container.events().expired(this);
        // A listener that called setExpires with success has extended the life.
        if (valid && expired) {
            container.counters().expired.increment();
            end();
        }
    }

    @Override
    public int setExpires(int deltaMinutes) {
        checkValid();
        touch();
        expired = false;
        if (deltaMinutes <= 0) {
            minutes = 0;
            return Integer.MAX_VALUE;
        }
        minutes = deltaMinutes;
        armExpiry();
        return deltaMinutes;
    }

    @Override
    public long getExpirationTime() {
        checkValid();
        if (minutes <= 0) {
            return 0;
        }
        return expired ? Long.MIN_VALUE : expiresAtMillis();
    }

    // ---- end ----

    @Override
    public void invalidate() {
        if (!enter()) {
            submitLater(
                    new TurnTask() {
                        @Override
                        protected void run() {
                            if (valid) {
                                end();
                            }
                        }
                    });
            return;
        }
        try {
            checkValid();
            end();
        } finally {
            exit();
        }
    }

    /** Ends the application session with all its children. The turn is held. */
    public void end() {
        ArrayList<ApplicationTimer> list = timers;
        timers = null;
        if (list != null) {
            list.forEach(ApplicationTimer::sessionEnded);
        }
        while (!sessions.isEmpty()) {
            sessions.getLast().end();
        }
        container.events().destroyed(this);
        valid = false;
        onHome(this::cancelExpiry);
        container.sessions().remove(this);
        Attributes all = attributes;
        if (all != null) {
            for (String name : all.names()) {
                Object value = all.remove(name);
                if (value != null) {
                    container.events().unbound(this, name, value);
                }
            }
        }
    }

    @Override
    public boolean isReadyToInvalidate() {
        checkValid();
        if (timers != null) {
            return false;
        }
        for (int i = 0; i < sessions.size(); i++) {
            if (!sessions.get(i).ready()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public boolean getInvalidateWhenReady() {
        checkValid();
        return invalidateWhenReady;
    }

    @Override
    public void setInvalidateWhenReady(boolean invalidateWhenReady) {
        checkValid();
        this.invalidateWhenReady = invalidateWhenReady;
        if (invalidateWhenReady) {
            looksReady = true;
        }
    }

    // ---- state as a value ----

    /** The session with its children and timers as bytes. The turn is held. */
    public void write(StateWriter out, AttributeCodec codec) {
        int section = out.begin(VERSION);
        out.putString(id).putString(key);
        out.putVarint(accessedAtMillis).putVarint(minutes).putVarint(nextOrdinal);
        out.putBoolean(invalidateWhenReady).putBoolean(expired);
        codec.write(out, attributes);
        ArrayList<ApplicationTimer> list = timers;
        out.putVarint(list == null ? 0 : list.size());
        for (int i = 0; list != null && i < list.size(); i++) {
            list.get(i).write(out, codec);
        }
        out.putVarint(sessions.size());
        for (int i = 0; i < sessions.size(); i++) {
            sessions.get(i).write(out, codec);
        }
        out.end(section);
    }

    /**
     * Takes the state that {@link #write} wrote, into the children that live and into new ones for
     * those that do not. The turn is held.
     *
     * @throws StateFormatException for other bytes
     */
    public void read(StateReader in, AttributeCodec codec) {
        in.begin();
        if (!id.equals(in.needString())) {
            throw new StateFormatException("another application session's state");
        }
        in.getString();
        accessedAtMillis = in.getVarint();
        minutes = in.getCount(Integer.MAX_VALUE);
        nextOrdinal = in.getCount(Integer.MAX_VALUE);
        invalidateWhenReady = in.getBoolean();
        expired = in.getBoolean();
        attributes = codec.readAttributes(in);
        int timerCount = in.getCount(MAX_CHILDREN);
        for (int i = 0; i < timerCount; i++) {
            ApplicationTimer.read(this, in, codec);
        }
        int count = in.getCount(MAX_CHILDREN);
        int[] links = new int[count];
        ServletSession[] read = new ServletSession[count];
        for (int i = 0; i < count; i++) {
            ServletSession session = child(in);
            links[i] = session.read(in, codec);
            read[i] = session;
        }
        in.end();
        for (int i = 0; i < count; i++) {
            read[i].link(links[i] < 0 ? null : byOrdinal(links[i]));
        }
    }

    private ServletSession child(StateReader in) {
        int ordinal = in.getCount(Integer.MAX_VALUE);
        String callId = in.needString();
        String name = in.needString();
        ServletSession living = byOrdinal(ordinal);
        if (living != null) {
            return living;
        }
        NamedServlet handler = application.servlet(name);
        if (handler == null) {
            throw new StateFormatException(
                    "application " + application.name() + " has no servlet " + name);
        }
        return new ServletSession(this, ordinal, callId, handler, NOBODY);
    }

    private @Nullable ServletSession byOrdinal(int ordinal) {
        for (int i = 0; i < sessions.size(); i++) {
            if (sessions.get(i).ordinal() == ordinal) {
                return sessions.get(i);
            }
        }
        return null;
    }

    /** The timer of that number, if it lives. */
    public @Nullable ApplicationTimer timer(int ordinal) {
        ArrayList<ApplicationTimer> list = timers;
        for (int i = 0; list != null && i < list.size(); i++) {
            if (list.get(i).ordinal() == ordinal) {
                return list.get(i);
            }
        }
        return null;
    }

    private void checkValid() {
        if (!valid) {
            throw new IllegalStateException("the application session " + id + " is invalid");
        }
    }

    // ---- the rest of the interface ----

    @Override
    public String getApplicationName() {
        return application.name();
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public long getCreationTime() {
        checkValid();
        return createdAtMillis;
    }

    @Override
    public long getLastAccessedTime() {
        return accessedAtMillis;
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        checkValid();
        Attributes all = attributes;
        return all == null ? null : all.get(Objects.requireNonNull(name, "name"));
    }

    @Override
    public Iterator<String> getAttributeNames() {
        checkValid();
        Attributes all = attributes;
        return all == null ? Collections.emptyIterator() : all.names().iterator();
    }

    @Override
    public void setAttribute(String name, Object value) {
        checkValid();
        Objects.requireNonNull(name, "name");
        if (value == null) {
            removeAttribute(name);
            return;
        }
        container.store().checkAttribute(application, name, value);
        Attributes all = attributes;
        if (all == null) {
            synchronized (this) {
                all = attributes;
                if (all == null) {
                    all = new Attributes();
                    attributes = all;
                }
            }
        }
        Object old = all.put(name, value);
        container.events().set(this, name, old, value);
    }

    @Override
    public void removeAttribute(String name) {
        checkValid();
        Attributes all = attributes;
        Object old = all == null ? null : all.remove(Objects.requireNonNull(name, "name"));
        if (old != null) {
            container.events().removed(this, name, old);
        }
    }

    public @Nullable Attributes attributes() {
        return attributes;
    }

    @Override
    public Iterator<?> getSessions() {
        checkValid();
        return List.copyOf(sessions).iterator();
    }

    @Override
    public Iterator<?> getSessions(String protocol) {
        checkValid();
        if (protocol == null) {
            throw new NullPointerException("protocol");
        }
        return switch (protocol) {
            case "SIP" -> List.copyOf(sessions).iterator();
            case "HTTP" -> Collections.emptyIterator();
            default ->
                    throw new IllegalArgumentException(
                            "the protocol is SIP or HTTP, not " + protocol);
        };
    }

    @Override
    public @Nullable SipSession getSipSession(String id) {
        checkValid();
        Objects.requireNonNull(id, "id");
        for (ServletSession session : List.copyOf(sessions)) {
            if (session.getId().equals(id)) {
                return session;
            }
        }
        return null;
    }

    @Override
    public @Nullable Object getSession(String id, Protocol protocol) {
        Objects.requireNonNull(protocol, "protocol");
        return protocol == Protocol.SIP ? getSipSession(id) : null;
    }

    @Override
    public @Nullable ServletTimer getTimer(String id) {
        checkValid();
        for (ServletTimer timer : getTimers()) {
            if (timer.getId().equals(id)) {
                return timer;
            }
        }
        return null;
    }

    @Override
    public Collection<ServletTimer> getTimers() {
        checkValid();
        ArrayList<ApplicationTimer> list = timers;
        return list == null ? List.of() : List.copyOf(list);
    }

    @Override
    @Deprecated
    public void encodeURI(URI uri) {
        throw Unsupported.member("SipApplicationSession.encodeURI(URI)");
    }

    @Override
    public URL encodeURL(URL url) {
        throw Unsupported.member("SipApplicationSession.encodeURL(URL)");
    }

    @Override
    public String toString() {
        return application.name() + " application session " + id;
    }
}
