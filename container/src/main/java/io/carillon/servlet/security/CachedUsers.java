package io.carillon.servlet.security;

import io.carillon.servlet.security.UserStore.User;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded memory of what the store said, of users that do not exist too: they must not be told by
 * the time the answer takes. The least recently asked goes first. Any thread; the store is asked
 * outside of the lock.
 */
public final class CachedUsers {
    /** What the store said. */
    public record Answer(@Nullable User user, long atMillis) {}

    private record Key(String realm, String name) {}

    private static final long LIFE_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final LongSupplier millis;
    private final Map<Key, Answer> answers;
    private volatile UserStore store = UserStore.EMPTY;
    private int generation;

    /**
     * @param cap most users remembered
     */
    public CachedUsers(int cap, LongSupplier millis) {
        this.millis = millis;
        this.answers =
                new LinkedHashMap<>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Key, Answer> eldest) {
                        return size() > cap;
                    }
                };
    }

    /** Asks this store from now on. */
    public void store(UserStore chosen) {
        store = chosen;
        forget();
    }

    /** What is remembered, null when the store has to be asked. Never blocks for long. */
    public @Nullable Answer peek(String realm, String name) {
        synchronized (answers) {
            Answer answer = answers.get(new Key(realm, name));
            boolean young = answer != null && millis.getAsLong() - answer.atMillis() < LIFE_MILLIS;
            return young ? answer : null;
        }
    }

    /** What is remembered, else what the store says. Blocks; not for event loops. */
    public Answer find(String realm, String name) {
        Answer known = peek(realm, name);
        if (known != null) {
            return known;
        }
        int before;
        synchronized (answers) {
            before = generation;
        }
        Answer asked = new Answer(store.find(realm, name), millis.getAsLong());
        synchronized (answers) {
            if (before == generation) {
                answers.put(new Key(realm, name), asked);
            }
        }
        return asked;
    }

    /** Users changed: everything is asked anew. */
    public void forget() {
        synchronized (answers) {
            generation++;
            answers.clear();
        }
    }
}
