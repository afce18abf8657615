package io.carillon.grid.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.Loopback;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ExtendedUUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member that another one suspected for a moment, and who lives. */
class DoubtsTest {
    private final AtomicLong now = new AtomicLong();
    private final List<JChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(JChannel::close);
    }

    private JChannel connect(List<InetSocketAddress> addresses, int number) throws Exception {
        JChannel channel = LinkStack.channel(Loopback.settings("doubts", addresses, number));
        Protocol standard = channel.getProtocolStack().removeProtocol(Doubts.class);
        assertThat(standard).isNotNull();
        Doubts.end(channel, now::get);
        channels.add(channel);
        channel.connect("doubts");
        return channel;
    }

    /**
     * Without it the second member made a view of its own, and what only the third had was lost.
     */
    @Test
    void theNextViewHasItWhenTheCoordinatorHasLeft() throws Exception {
        List<InetSocketAddress> addresses = Loopback.addresses(3);
        JChannel first = connect(addresses, 0);
        JChannel second = connect(addresses, 1);
        JChannel third = connect(addresses, 2);
        Loopback.until(
                "all three", () -> channels.stream().allMatch(each -> each.getView().size() == 3));
        assertThat(second.getView().getMembers().get(1)).isEqualTo(second.getAddress());
        List<Message> heard = new CopyOnWriteArrayList<>();
        second.setReceiver(
                new Receiver() {
                    @Override
                    public void receive(Message message) {
                        heard.add(message);
                    }
                });

        Suspicions.suspect(second, third.getAddress());
        now.addAndGet(Doubts.LONGEST_NANOS);
        third.send(new BytesMessage(second.getAddress(), new byte[1]));
        Loopback.until("a word of it", () -> !heard.isEmpty());
        Address gone = first.getAddress();
        first.close();

        Loopback.until("the next view", () -> !second.getView().containsMember(gone));
        assertThat(second.getView().getMembers())
                .containsExactly(second.getAddress(), third.getAddress());
    }

    /** What the protocol below has to say to the one above. */
    private final class Stack {
        final Address member = ExtendedUUID.randomUUID();
        final List<Object> told = new ArrayList<>();
        final Doubts doubts = new Doubts(now::get);

        Stack() {
            doubts.setUpProtocol(
                    new Protocol() {
                        @Override
                        public Object up(Event event) {
                            told.add(event.getType());
                            return event;
                        }

                        @Override
                        public Object up(Message message) {
                            return message;
                        }
                    });
            doubts.setDownProtocol(
                    new Protocol() {
                        @Override
                        public Object down(Event event) {
                            return event;
                        }
                    });
            doubts.up(new Event(Event.SUSPECT, List.of(member)));
        }

        void isHeard() {
            doubts.up(new BytesMessage(null, new byte[1]).setSrc(member));
        }
    }

    @Test
    void whatWasSentBeforeEndsNoSuspicion() {
        Stack stack = new Stack();
        now.addAndGet(Doubts.LONGEST_NANOS - 1);
        stack.isHeard();
        assertThat(stack.told).containsExactly(Event.SUSPECT);
        now.addAndGet(1);
        stack.isHeard();
        stack.isHeard();
        assertThat(stack.told).as("once").containsExactly(Event.SUSPECT, Event.UNSUSPECT);
    }

    /** It may be for a new reason: the time that it is heard for begins anew. */
    @Test
    void whoIsSuspectedAgainIsSuspected() {
        Stack stack = new Stack();
        now.addAndGet(Doubts.LONGEST_NANOS);
        stack.doubts.up(new Event(Event.SUSPECT, List.of(stack.member)));
        stack.isHeard();
        assertThat(stack.told).containsExactly(Event.SUSPECT, Event.SUSPECT);
    }

    @Test
    void aNewViewBeginsWithoutSuspicions() {
        Stack stack = new Stack();
        stack.doubts.down(
                new Event(Event.VIEW_CHANGE, View.create(stack.member, 1, List.of(stack.member))));
        now.addAndGet(Doubts.LONGEST_NANOS);
        stack.isHeard();
        assertThat(stack.told).containsExactly(Event.SUSPECT);
    }
}
