package io.carillon.servlet.feature.security;

import io.carillon.servlet.feature.security.UserStore.User;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded memory of what the store said, of users that do not exist too: they must not be told by
 * the time the answer takes. Names that do not exist have a room of their own, a fifth as large, so
 * that invented ones push out no user; in each room the least recently asked goes first. The store
 * is asked for one name once at a time, and for so many names at once. Any thread; the store is
 * asked outside of the lock.
 */
public final class CachedUsers {
    /** What the store said. */
    public record Answer(@Nullable User user, long atMillis) {
        private static final Answer BUSY = new Answer(null, Long.MIN_VALUE);

        /** It said nothing: as many look-ups were under way as there may be. */
        public boolean busy() {
            return atMillis == Long.MIN_VALUE;
        }
    }

    private record Key(String realm, String name) {}

    private static final long LIFE_MILLIS = TimeUnit.SECONDS.toMillis(60);
    private static final int SHARE_OF_NOBODIES = 5;

    private final LongSupplier millis;
    private final Object lock = new Object();
    private final LongAdder forgotten = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile UserStore store = UserStore.EMPTY;

    // With the lock.
    private final Room users;
    private final Room nobodies;
    private final Map<Key, CompletableFuture<Answer>> asking = new HashMap<>();
    private int mostAsking;
    private int underWay;
    private int generation;

    /**
     * @param cap most users remembered
     * @param mostAsking most names that the store is asked for at once
     */
    public CachedUsers(int cap, int mostAsking, LongSupplier millis) {
        this.millis = millis;
        this.mostAsking = mostAsking;
        this.users = new Room(cap);
        this.nobodies = new Room(share(cap));
    }

    private static int share(int cap) {
        return Math.max(1, cap / SHARE_OF_NOBODIES);
    }

    private final class Room extends LinkedHashMap<Key, Answer> {
        private static final long serialVersionUID = 1L;

        int cap;

        Room(int cap) {
            super(16, 0.75f, true);
            this.cap = cap;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Answer> eldest) {
            if (size() <= cap) {
                return false;
            }
            forgotten.increment();
            return true;
        }
    }

    /** Other bounds, and nobody remembered. */
    void bounds(int cap, int most) {
        synchronized (lock) {
            users.cap = cap;
            nobodies.cap = share(cap);
            mostAsking = most;
        }
        forget();
    }

    /** Asks this store from now on. */
    public void store(UserStore chosen) {
        store = chosen;
        forget();
    }

    /** What is remembered, null when the store has to be asked. Never blocks for long. */
    public @Nullable Answer peek(String realm, String name) {
        synchronized (lock) {
            return known(new Key(realm, name));
        }
    }

    private @Nullable Answer known(Key key) {
        Answer answer = users.get(key);
        if (answer == null) {
            answer = nobodies.get(key);
        }
        boolean young = answer != null && millis.getAsLong() - answer.atMillis() < LIFE_MILLIS;
        return young ? answer : null;
    }

    /**
     * What is remembered, else what the store says, if it is not {@linkplain Answer#busy() busy}.
     * Blocks; not for event loops.
     *
     * @throws IllegalStateException when the store cannot be asked
     */
    public Answer find(String realm, String name) {
        Key key = new Key(realm, name);
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        CompletableFuture<Answer> others;
        int before;
        synchronized (lock) {
            Answer known = known(key);
            if (known != null) {
                return known;
            }
            others = asking.get(key);
            if (others == null && underWay >= mostAsking) {
                refused.increment();
                return Answer.BUSY;
            }
            if (others == null) {
                asking.put(key, answer);
                underWay++;
            }
            before = generation;
        }
        return others == null ? ask(key, answer, before) : saidToOthers(others);
    }

    private Answer ask(Key key, CompletableFuture<Answer> answer, int before) {
        Answer said = null;
        RuntimeException failure = null;
        try {
            said = new Answer(store.find(key.realm(), key.name()), millis.getAsLong());
            return said;
        } catch (UserStore.Busy e) {
            failure = e;
            refused.increment();
            return Answer.BUSY;
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        } finally {
            synchronized (lock) {
                underWay--;
                asking.remove(key, answer);
                if (said != null && before == generation) {
                    (said.user() == null ? nobodies : users).put(key, said);
                }
            }
            if (said != null) {
                answer.complete(said);
            } else {
                answer.completeExceptionally(
                        failure == null ? new IllegalStateException("no answer") : failure);
            }
        }
    }

    private static Answer saidToOthers(CompletableFuture<Answer> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UserStore.Busy) {
                return Answer.BUSY;
            }
            throw new IllegalStateException("the user store could not be asked", e.getCause());
        }
    }

    /** Users changed: everything is asked anew, whatever is being asked now. */
    public void forget() {
        synchronized (lock) {
            generation++;
            users.clear();
            nobodies.clear();
            asking.clear();
        }
    }

    /** Names that gave way to others before their time, those that do not exist included. */
    public long forgotten() {
        return forgotten.sum();
    }

    /** Names that were not asked for, as the store was asked for too many. */
    public long refused() {
        return refused.sum();
    }

    /** Users, and names of nobody, that are remembered now. */
    int size() {
        synchronized (lock) {
            return users.size() + nobodies.size();
        }
    }
}
