package io.carillon.router;

import io.carillon.cluster.link.LinkMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one connection sends for one partition, in the order in which it came: requests that a node
 * has taken and not answered, and what no node has taken. Of these only the first is under way.
 *
 * <p>Owner: {@link Undelivered}, as long as something is in it.
 */
final class Way {
    final Key key;
    private final List<Held> all = new ArrayList<>(2);
    private @Nullable Held head;

    /** Whose way it is. */
    record Key(long connection, int partition) {
        static Key of(LinkMessage message) {
            return new Key(message.connection(), message.partition());
        }
    }

    Way(Key key) {
        this.key = key;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The first that no node has taken; null for none. */
    @Nullable Held head() {
        return head;
    }

    void add(Held held) {
        int at = all.size();
        while (at > 0 && all.get(at - 1).order > held.order) {
            at--;
        }
        all.add(at, held);
        look();
    }

    void remove(Held held) {
        all.remove(held);
        look();
    }

    /** One of it has been taken, or is not any more. */
    void look() {
        head = null;
        for (Held held : all) {
            if (!held.taken) {
                head = held;
                return;
            }
        }
    }

    /**
     * The requests before the head that were not taken by that node in that life of it. Who goes on
     * gets them too: before the head, for RFC 3261 12.2.2 says of a request with a lower CSeq than
     * one before that it "is out of order and MUST be rejected with a 500".
     */
    List<Held> takenElsewhere(int node, long boot) {
        List<Held> elsewhere = List.of();
        for (Held held : all) {
            if (!held.taken) {
                break;
            }
            if (!held.isAt(node, boot)) {
                elsewhere = elsewhere.isEmpty() ? new ArrayList<>() : elsewhere;
                elsewhere.add(held);
            }
        }
        return elsewhere;
    }
}
