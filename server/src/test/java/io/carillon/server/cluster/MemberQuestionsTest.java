package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.voting.MemberLink;
import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What members ask each other for an operator. */
class MemberQuestionsTest {
    /** Members that reach each other at once. */
    private final List<MemberQuestions> members = new ArrayList<>();

    private final Set<Integer> dead = new TreeSet<>();
    private final List<String> done = new CopyOnWriteArrayList<>();

    private final class Link implements MemberLink {
        private final int self;

        Link(int self) {
            this.self = self;
        }

        @Override
        public int self() {
            return self;
        }

        @Override
        public Set<Integer> seen() {
            Set<Integer> all = new TreeSet<>();
            for (int i = 0; i < members.size(); i++) {
                if (!dead.contains(i)) {
                    all.add(i);
                }
            }
            return all;
        }

        @Override
        public void send(int member, byte[] bytes) {
            assertThat(members.get(member).received(self, bytes)).isTrue();
        }

        @Override
        public void sendUnseen(int member, byte[] bytes) {}

        @Override
        public long dropped() {
            return 0;
        }

        @Override
        public int byAnother() {
            return 0;
        }

        @Override
        public void listen(Listener listener) {}
    }

    private MemberQuestions member() {
        Link link = new Link(members.size());
        MemberQuestions member = new MemberQuestions(() -> link);
        members.add(member);
        return member;
    }

    private static CallerCommand failing() {
        return (argument, who) -> {
            throw new ControlFailure("there is no call '" + argument + "'");
        };
    }

    @Test
    void theOneThatHasItAnswers() {
        MemberQuestions asks = member();
        member().answers("call", failing());
        member().answers(
                        "call",
                        (argument, who) -> {
                            done.add(who);
                            return "all of " + argument;
                        });
        assertThat(asks.ask("call", "c1", "root")).isEqualTo("all of c1");
        assertThat(done).containsExactly("root, at member 0");
    }

    /** As of a call with many legs: more than the short texts that members tell each other. */
    @Test
    void anAnswerMayBeLong() {
        MemberQuestions asks = member();
        String all = "leg ".repeat(100_000) + 'ü';
        member().answers("call", (argument, who) -> all);
        assertThat(asks.ask("call", "c".repeat(5_000), "root")).isEqualTo(all);
    }

    @Test
    void whereNobodyHasItThatIsKnownAtOnce() {
        MemberQuestions asks = member();
        member().answers("call", failing());
        member(); // knows no such command
        assertThat(asks.ask("call", "c1", "root")).isNull();
    }

    @Test
    void whoIsAloneAsksNobody() {
        MemberQuestions asks = member();
        member();
        dead.add(1);
        assertThat(asks.ask("call", "c1", "root")).isNull();
    }

    @Test
    void whatHasFailedIsNoAnswer() {
        MemberQuestions asks = member();
        member().answers(
                        "call",
                        (argument, who) -> {
                            throw new IllegalStateException("a fault");
                        });
        assertThat(asks.ask("call", "c1", "root")).isNull();
    }

    @Test
    void anotherMessageIsNoQuestion() {
        MemberQuestions asks = member();
        assertThat(asks.received(1, new byte[] {1, 2, 3})).isFalse();
        assertThat(asks.received(1, new byte[0])).isFalse();
        assertThat(asks.received(1, new byte[] {100, 9})).as("one that is cut off").isTrue();
    }
}
