package io.carillon.grid.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ExtendedUUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members 0, 1 and 2, each with what stands over its transport; the test is wire and clock. */
class WayRoundTest {
    private static final long SECOND = 1_000_000_000;

    private final List<Member> members = List.of(new Member(), new Member(), new Member());
    private final Map<Address, Member> byAddress = new HashMap<>();
    private final List<String> way = new ArrayList<>();
    private boolean[][] cut = new boolean[3][3];
    private long now;

    /** Its transport below, and all else above. */
    private final class Member {
        final Address address = ExtendedUUID.randomUUID();
        final List<String> got = new ArrayList<>();
        boolean full;
        boolean slow;
        final List<Runnable> waiting = new ArrayList<>();
        final WayRound round =
                new WayRound(
                        () -> now,
                        task -> {
                            if (full) {
                                throw new RejectedExecutionException();
                            }
                            if (slow) {
                                waiting.add(task);
                            } else {
                                task.run();
                            }
                        });

        Member() {
            round.setAddress(address);
            round.setDownProtocol(
                    new Protocol() {
                        @Override
                        public Object down(Event event) {
                            return null;
                        }

                        @Override
                        public Object down(Message message) {
                            leaves(Member.this, message);
                            return null;
                        }
                    });
            round.setUpProtocol(
                    new Protocol() {
                        @Override
                        public Object up(Message message) {
                            got.add(number(message.getSrc()) + ": " + text(message));
                            return null;
                        }
                    });
        }

        void says(String text, Address to) {
            round.down(new BytesMessage(to, text.getBytes(StandardCharsets.UTF_8)));
        }

        void view(List<Address> all) {
            round.down(new Event(Event.VIEW_CHANGE, View.create(all.getFirst(), 1, all)));
        }
    }

    private static String text(Message message) {
        return new String(
                message.getArray(),
                message.getOffset(),
                message.getLength(),
                StandardCharsets.UTF_8);
    }

    private int number(Address address) {
        return members.indexOf(byAddress.get(address));
    }

    private void leaves(Member from, Message message) {
        int self = members.indexOf(from);
        if (message.getSrc() == null) {
            message.setSrc(from.address);
        }
        for (int to = 0; to < members.size(); to++) {
            boolean its = message.getDest() == null || number(message.getDest()) == to;
            if (its && to != self && !cut[self][to]) {
                way.add(self + ">" + to);
                members.get(to).round.up(message);
            }
        }
    }

    @BeforeEach
    void allSeeAll() {
        members.forEach(each -> byAddress.put(each.address, each));
        members.forEach(each -> each.view(addresses()));
    }

    private List<Address> addresses() {
        return members.stream().map(each -> each.address).toList();
    }

    /** Each says something to all, twice a second, as JGroups' detection does. */
    private void pass(int halfSeconds) {
        for (int i = 0; i < halfSeconds; i++) {
            now += SECOND / 2;
            members.forEach(each -> each.says("beat", null));
        }
        way.clear();
        members.forEach(each -> each.got.clear());
    }

    private void cut(int from, int to) {
        cut[from][to] = true;
    }

    private void send(int from, int to) {
        members.get(from).says("hello", members.get(to).address);
    }

    @Test
    void whoHearEachOtherSendStraight() {
        pass(6);
        send(1, 2);
        assertThat(way).containsExactly("1>2");
        assertThat(members.get(2).got).containsExactly("1: hello");
        assertThat(members.get(1).round.goRound()).isEmpty();
    }

    @Test
    void whoIsNotHeardForASecondGetsItsMessagesByAThird() {
        cut(1, 2);
        cut(2, 1);
        pass(1);
        send(1, 2);
        assertThat(way).as("straight, and lost").isEmpty();
        pass(2);
        send(1, 2);
        assertThat(way).containsExactly("1>0", "0>2");
        assertThat(members.get(2).got).containsExactly("1: hello");
        assertThat(members.get(1).round.goRound()).containsExactly(members.get(2).address);
        assertThat(members.get(0).round.goRound()).as("hears both").isEmpty();
    }

    @Test
    void whatIsForAllGoesRoundAndStraight() {
        cut(1, 2);
        cut(2, 1);
        pass(3);
        members.get(1).says("to all", null);
        assertThat(members.get(2).got).containsExactly("1: to all");
        assertThat(members.get(0).got).containsExactly("1: to all");
    }

    /** It hears the other, and would send straight for ever. */
    @Test
    void whoIsNotHeardByAnotherIsToldSo() {
        cut(1, 2);
        pass(5);
        send(1, 2);
        assertThat(way).containsExactly("1>0", "0>2");
        assertThat(members.get(2).got).containsExactly("1: hello");
    }

    @Test
    void aWireThatIsWholeAgainIsFoundByBoth() {
        cut(1, 2);
        cut(2, 1);
        pass(6);
        cut = new boolean[3][3];
        pass(4);
        send(1, 2);
        send(2, 1);
        assertThat(way).containsExactly("1>2", "2>1");
    }

    @Test
    void whereNobodyIsHeardMessagesGoStraight() {
        for (int other = 0; other < 2; other++) {
            cut(2, other);
            cut(other, 2);
        }
        pass(4);
        cut = new boolean[3][3];
        send(2, 1);
        assertThat(way).containsExactly("2>1");
        assertThat(members.get(2).round.goRound()).isEmpty();
    }

    @Test
    void whatIsForNoMemberIsNotPassedOn() {
        cut(1, 2);
        cut(2, 1);
        pass(3);
        members.get(0).view(addresses().subList(0, 2));
        send(1, 2);
        assertThat(way).containsExactly("1>0");
        assertThat(members.get(0).round.dropped()).isOne();
    }

    @Test
    void whatGoesRoundIsBoundedInEachTenthOfASecond() {
        cut(1, 2);
        cut(2, 1);
        pass(3);
        now += SECOND / 10;
        String much = "x".repeat(WayRound.MOST_BYTES / 2 - 500);
        for (int i = 0; i < 5; i++) {
            members.get(1).says(much, members.get(2).address);
        }
        assertThat(members.get(2).got).hasSize(2);
        assertThat(members.get(1).round.dropped()).isEqualTo(3);
        now += SECOND / 10;
        members.get(1).says(much, members.get(2).address);
        assertThat(members.get(2).got).hasSize(3);
    }

    @Test
    void whatWaitsToBePassedOnIsBounded() {
        cut(1, 2);
        cut(2, 1);
        pass(3);
        members.get(0).full = true;
        send(1, 2);
        assertThat(members.get(2).got).isEmpty();
        assertThat(members.get(0).round.dropped()).isOne();
    }

    @Test
    void bytesThatWaitToBePassedOnAreBounded() {
        cut(1, 2);
        cut(2, 1);
        pass(3);
        members.get(0).slow = true;
        String much = "x".repeat(WayRound.MOST_BYTES - 500);
        for (int i = 0; i < 9; i++) {
            now += SECOND / 10;
            members.get(1).says(much, members.get(2).address);
        }
        assertThat(members.get(0).waiting).hasSize(8);
        assertThat(members.get(0).round.dropped()).isOne();
        members.get(0).waiting.forEach(Runnable::run);
        members.get(0).slow = false;
        send(1, 2);
        assertThat(members.get(2).got).hasSize(9).endsWith("1: hello");
    }

    @Test
    void whatCannotBeReadIsCounted() {
        Message broken =
                new BytesMessage(members.get(2).address, new byte[] {1, 2, 3})
                        .setSrc(members.get(0).address)
                        .putHeader(
                                members.get(0).round.getId(),
                                new WayRoundHeader(members.get(2).address, false));
        members.get(2).round.up(broken);
        assertThat(members.get(2).got).isEmpty();
        assertThat(members.get(2).round.dropped()).isOne();
    }

    @Test
    void whoSaysNothingByAnyWayIsUnheard() {
        cut(1, 2);
        cut(2, 1);
        pass(4);
        assertThat(members.get(1).round.unheard(SECOND)).as("by the third").isEmpty();
        cut(0, 1);
        now += SECOND;
        members.get(2).says("beat", null);
        assertThat(members.get(1).round.unheard(SECOND))
                .isEqualTo(Set.of(members.get(0).address, members.get(2).address));
    }

    /** What lay in a wire that was cut comes out of it when it is whole again. */
    @Test
    void afterASilenceAMemberIsNotSteadyForTwoSeconds() {
        Member one = members.get(0);
        Address other = members.get(1).address;
        assertThat(one.round.isSteady(other)).isTrue();
        now += SECOND;
        assertThat(one.round.isSteady(other)).as("a second without a word").isFalse();
        members.get(1).says("again", one.address);
        assertThat(one.round.isSteady(other)).as("the first word").isFalse();
        for (int i = 0; i < 4; i++) {
            now += SECOND / 2 - 1;
            members.get(1).says("more", one.address);
        }
        assertThat(one.round.isSteady(other)).isFalse();
        now += 4;
        assertThat(one.round.isSteady(other)).isTrue();
    }
}
