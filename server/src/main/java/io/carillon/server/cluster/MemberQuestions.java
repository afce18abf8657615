package io.carillon.server.cluster;

import io.carillon.cluster.bytes.Packer;
import io.carillon.cluster.bytes.Unpacker;
import io.carillon.cluster.voting.MemberLink;
import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the members of a cluster ask each other for an operator: a command that one of them was
 * given and that concerns a call of another. Any thread; who asks waits.
 */
public final class MemberQuestions {
    private static final Logger LOG = LoggerFactory.getLogger(MemberQuestions.class);

    // Other kinds are io.carillon.cluster.node.NodeMessages'.
    private static final byte QUESTION = 100;
    private static final byte ANSWER = 101;

    /** Longer than a turn is waited for ({@code Calls}). */
    private static final long WAIT_SECONDS = 5;

    /** Asked and not answered yet, here. */
    private static final int MOST_OPEN = 64;

    /** Of others, at work here. */
    private static final int MOST_AT_WORK = 8;

    private static final int MOST_CHARS = 1 << 20;

    /** Of UTF-8. */
    private static final int MOST_BYTES = 3 * MOST_CHARS;

    private final Supplier<MemberLink> link;
    private final Map<String, CallerCommand> commands = new ConcurrentHashMap<>();
    private final Map<Long, Open> open = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Semaphore atWork = new Semaphore(MOST_AT_WORK);

    /** One question, to all other members: the first answer counts, or the last refusal. */
    private static final class Open {
        final CompletableFuture<@Nullable String> answer = new CompletableFuture<>();
        private int waiting;

        Open(int asked) {
            waiting = asked;
        }

        synchronized void refused() {
            waiting--;
            if (waiting == 0) {
                answer.complete(null);
            }
        }
    }

    MemberQuestions(Supplier<MemberLink> link) {
        this.link = link;
    }

    /** This node answers that command when others ask. */
    void answers(String command, CallerCommand here) {
        commands.put(command, here);
    }

    /**
     * Asks all other members that are seen.
     *
     * @param who gives the command
     * @return what the first one has answered; null where none has, or had anything to say
     */
    @Nullable String ask(String command, String argument, String who) {
        MemberLink to = link.get();
        List<Integer> others = new ArrayList<>(to.seen());
        others.remove((Integer) to.self());
        if (others.isEmpty() || open.size() >= MOST_OPEN) {
            return null;
        }
        long number = numbers.incrementAndGet();
        Open mine = new Open(others.size());
        open.put(number, mine);
        try {
            byte[] question =
                    new Packer()
                            .octet(QUESTION)
                            .number(number)
                            .text(command)
                            .text(argument)
                            .text(who)
                            .toBytes();
            others.forEach(member -> to.send(member, question));
            return mine.answer.completeOnTimeout(null, WAIT_SECONDS, TimeUnit.SECONDS).join();
        } finally {
            open.remove(number);
        }
    }

    /** A message of another member; false when it is no question and no answer. */
    boolean received(int from, byte[] message) {
        if (message.length == 0 || (message[0] != QUESTION && message[0] != ANSWER)) {
            return false;
        }
        try {
            Unpacker in = new Unpacker(message);
            int kind = in.octet();
            long number = in.number();
            if (kind == QUESTION) {
                answer(from, number, in.text(), in.text(MOST_BYTES), in.text());
            } else {
                heard(number, in.flag(), in.text(MOST_BYTES));
            }
        } catch (IllegalArgumentException e) {
            LOG.debug("A question of member {} cannot be read", from, e);
        }
        return true;
    }

    private void heard(long number, boolean answered, String text) {
        Open mine = open.get(number);
        if (mine != null && answered) {
            mine.answer.complete(text);
        } else if (mine != null) {
            mine.refused();
        }
    }

    private void answer(int from, long number, String command, String argument, String who) {
        CallerCommand here = commands.get(command);
        if (here == null || !atWork.tryAcquire()) {
            tell(from, number, false, "");
            return;
        }
        var _ =
                Thread.ofPlatform()
                        .daemon()
                        .name("cluster-question")
                        .start(() -> {
                            try {
                                String text = here.answer(argument, who + ", at member " + from);
                                boolean fits = text.length() <= MOST_CHARS;
                                tell(from, number, fits, fits ? text : "");
                            } catch (ControlFailure notHere) {
                                tell(from, number, false, "");
                            } catch (RuntimeException e) {
                                LOG.error("A question of member {} failed", from, e);
                                tell(from, number, false, "");
                            } finally {
                                atWork.release();
                            }
                        });
    }

    private void tell(int member, long number, boolean answered, String text) {
        link.get()
                .send(
                        member,
                        new Packer()
                                .octet(ANSWER)
                                .number(number)
                                .flag(answered)
                                .text(text)
                                .toBytes());
    }
}
