package io.carillon.cluster.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Questions to routers by which connection a name under {@code .invalid} is reached (RFC 7118 B.1).
 * The names themselves are where their connections are, and end with them. Whoever waits for an
 * answer has a request to send that fails without one, and frames may be lost, or a router have no
 * processor for a while: so a question is asked again until each router that lives has answered.
 *
 * <p>Owner: one thread.
 */
final class NameQuestions {
    static final int MOST_QUESTIONS = 1024;
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long SELDOM_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    private final Map<Long, Question> open = new HashMap<>();
    private final LinkEndpoint endpoint;
    private final Asking asking;
    private long last;

    private static final class Question {
        final long number;
        final byte[] name;
        final Consumer<@Nullable LinkMessage> asker;
        final long endNanos;

        /** Routers that know nobody of that name. */
        final Set<Integer> answered = new HashSet<>();

        long nextNanos;
        long afterNanos = FIRST_NANOS;

        Question(long number, byte[] name, Consumer<@Nullable LinkMessage> asker, long nowNanos) {
            this.number = number;
            this.name = name;
            this.asker = asker;
            endNanos = nowNanos + PATIENCE_NANOS;
            nextNanos = nowNanos + FIRST_NANOS;
        }
    }

    /** How a router is asked; a question that is lost comes again. */
    interface Asking {
        void ask(LinkPeer router, byte[] name, long question);
    }

    NameQuestions(LinkEndpoint endpoint, Asking asking) {
        this.endpoint = endpoint;
        this.asking = asking;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /**
     * Asks.
     *
     * @param asker told who is reached by the name; null for nobody, at once when no router lives
     */
    void find(byte[] name, Consumer<@Nullable LinkMessage> asker, long nowNanos) {
        if (open.size() >= MOST_QUESTIONS) {
            asker.accept(null);
            return;
        }
        Question question = new Question(++last, name, asker, nowNanos);
        if (ask(question, nowNanos)) {
            open.put(question.number, question);
        } else {
            asker.accept(null);
        }
    }

    /** Asks those that have not answered; false when there is none. */
    private boolean ask(Question question, long nowNanos) {
        List<LinkPeer> left = unanswered(question, nowNanos);
        left.forEach(router -> asking.ask(router, question.name, question.number));
        return !left.isEmpty();
    }

    private List<LinkPeer> unanswered(Question question, long nowNanos) {
        return endpoint.routers().stream()
                .filter(each -> each.alive(nowNanos) && !question.answered.contains(each.id()))
                .toList();
    }

    /** A router has answered; the connection is 0 when it knows nobody of that name. */
    void found(LinkMessage answer, long nowNanos) {
        Question question = open.get(answer.number());
        if (question == null) {
            return; // too late, or again
        }
        if (answer.connection() != 0) {
            open.remove(question.number);
            question.asker.accept(answer);
        } else {
            question.answered.add(answer.peer());
            if (unanswered(question, nowNanos).isEmpty()) {
                open.remove(question.number);
                question.asker.accept(null);
            }
        }
    }

    /** Asks those again whose time has come. */
    void advance(long nowNanos) {
        List<Question> due = new ArrayList<>();
        for (Question question : open.values()) {
            if (nowNanos - question.nextNanos >= 0) {
                due.add(question);
            }
        }
        for (Question question : due) {
            question.afterNanos = Math.min(2 * question.afterNanos, SELDOM_NANOS);
            question.nextNanos = nowNanos + question.afterNanos;
            if (nowNanos - question.endNanos >= 0 || !ask(question, nowNanos)) {
                open.remove(question.number);
                question.asker.accept(null);
            }
        }
    }
}
