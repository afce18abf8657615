package io.carillon.grid.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.bytes.Unpacker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ByteArray;
import org.jgroups.util.ExtendedUUID;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two members, each with the top of its stack; the test is wire and clock. */
class StoreMessagesTest {
    private static final long SECOND = 1_000_000_000;

    private final Member first = new Member();
    private final Member second = new Member();
    private final Map<Address, Member> byAddress = new HashMap<>();
    private final List<Message> wire = new ArrayList<>();
    private long now = 7 * SECOND;
    private boolean cut;

    private final class Member implements StoreMessages.Listener {
        final Address address = ExtendedUUID.randomUUID();
        final List<String> got = new ArrayList<>();
        final List<String> above = new ArrayList<>();
        Set<Address> here = Set.of();
        boolean fromBefore;
        final StoreMessages top = new StoreMessages(() -> now, member -> !cut);

        Member() {
            top.setDownProtocol(
                    new Protocol() {
                        @Override
                        public Object down(Message message) {
                            message.setSrc(address);
                            wire.add(message);
                            return null;
                        }

                        @Override
                        public Object down(Event event) {
                            return null;
                        }
                    });
            top.setUpProtocol(
                    new Protocol() {
                        @Override
                        public Object up(Message message) {
                            above.add(text(message));
                            return null;
                        }

                        @Override
                        public void up(MessageBatch batch) {
                            batch.forEach(each -> above.add(text(each)));
                        }
                    });
        }

        void says(String text, Member to) {
            top.send(to.address, StoreMessages.content(8).text(text).toBytes());
        }

        @Override
        public void came(Address from, Unpacker content, boolean steady) {
            got.add(content.text() + (steady ? "" : ", perhaps long over"));
        }

        @Override
        public void view(Set<Address> members) {
            here = members;
        }
    }

    @BeforeEach
    void bothSeeEachOther() {
        byAddress.put(first.address, first);
        byAddress.put(second.address, second);
        seen(first, second);
        first.top.listen(first);
        second.top.listen(second);
    }

    private void seen(Member... members) {
        View view = View.create(members[0].address, 1, addresses(members));
        for (Member member : members) {
            member.top.down(new Event(Event.VIEW_CHANGE, view));
        }
    }

    private static Address[] addresses(Member... members) {
        Address[] all = new Address[members.length];
        for (int i = 0; i < members.length; i++) {
            all[i] = members[i].address;
        }
        return all;
    }

    /** All that is on the wire arrives, and what that makes. */
    private void arrives() {
        while (!wire.isEmpty()) {
            Message message = wire.removeFirst();
            Member to = byAddress.get(message.getDest());
            if (!to.fromBefore) {
                to.top.up(message);
            }
        }
    }

    private static String text(Message message) {
        return new String(message.getArray(), StandardCharsets.UTF_8);
    }

    @Test
    void aMemberIsAskedBeforeItGetsSomething() {
        assertThat(first.top.takes(second.address)).isFalse();
        arrives();
        assertThat(first.top.takes(second.address)).isTrue();
        assertThat(second.top.takes(first.address)).as("who asks takes such too").isTrue();
        assertThat(wire).isEmpty();
        first.says("a batch", second);
        arrives();
        assertThat(second.got).containsExactly("a batch");
        assertThat(second.above).isEmpty();
    }

    /** A rolling upgrade: the build from before drops what it does not know. */
    @Test
    void aBuildFromBeforeIsAskedOnceASecondAndGetsNothing() {
        second.fromBefore = true;
        for (int i = 0; i < 20; i++) {
            assertThat(first.top.takes(second.address)).isFalse();
            arrives();
            now += SECOND / 10;
        }
        first.top.takes(second.address);
        assertThat(wire).hasSize(1);
        wire.clear();
        int asked = 0;
        for (int i = 0; i < 20; i++) {
            now += SECOND / 10;
            first.top.takes(second.address);
            asked += wire.size();
            wire.clear();
        }
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void aMemberThatCameBackIsAskedAgain() {
        first.top.takes(second.address);
        arrives();
        seen(first);
        assertThat(first.here).containsExactly(first.address);
        assertThat(first.top.takes(second.address)).isFalse();
        assertThat(wire).as("it is not here").isEmpty();
        seen(first, second);
        assertThat(first.here).containsExactlyInAnyOrder(first.address, second.address);
        assertThat(first.top.takes(second.address)).isFalse();
        arrives();
        assertThat(first.top.takes(second.address)).isTrue();
    }

    /**
     * What a build from before reads is a heartbeat: it knows each header, and takes the message
     * for no more than that.
     */
    @Test
    void forABuildFromBeforeItIsAHeartbeat() throws Exception {
        first.top.takes(second.address);
        Message sent = wire.removeFirst();
        ByteArray bytes = Util.messageToByteBuffer(sent);
        Message read = Util.messageFromByteBuffer(bytes.getArray(), 0, bytes.getLength());
        FD_ALL3 before = new FD_ALL3();
        List<Message> above = new ArrayList<>();
        before.setUpProtocol(
                new Protocol() {
                    @Override
                    public Object up(Message message) {
                        above.add(message);
                        return null;
                    }
                });
        read.setSrc(first.address);
        before.up(read);
        assertThat(above).isEmpty();
        assertThat(read.getHeaders()).hasSize(1);
    }

    /** What lay in a wire that was cut comes out of it when it is whole again. */
    @Test
    void nothingIsSentWhereTheWireIsNotSteadyAndWhatComesSaysSo() {
        first.top.takes(second.address);
        arrives();
        first.says("a batch", second);
        cut = true;
        arrives();
        assertThat(second.got).containsExactly("a batch, perhaps long over");
        assertThat(first.top.takes(second.address)).isFalse();
        cut = false;
        assertThat(first.top.takes(second.address)).isTrue();
    }

    /** A store that is not there yet says nothing: else it is sent what nobody hears. */
    @Test
    void whoHasNoStoreYetDoesNotAnswer() {
        Member newcomer = new Member();
        byAddress.put(newcomer.address, newcomer);
        seen(first, newcomer);
        first.top.takes(newcomer.address);
        arrives();
        now += SECOND;
        assertThat(first.top.takes(newcomer.address)).isFalse();
        newcomer.top.listen(newcomer);
        arrives();
        assertThat(first.top.takes(newcomer.address)).isTrue();
    }

    /** What belongs to Infinispan goes on to it, also out of a batch with both. */
    @Test
    void whatIsNotForStoresGoesUp() {
        Message other = new BytesMessage(second.address, "other".getBytes(StandardCharsets.UTF_8));
        other.setSrc(first.address);
        second.top.up(other);
        MessageBatch batch = new MessageBatch(4);
        first.says("a batch", second);
        batch.add(wire.removeFirst());
        batch.add(other);
        second.top.up(batch);
        assertThat(second.above).containsExactly("other", "other");
        assertThat(second.got).containsExactly("a batch");
    }

    @Test
    void whatAStrangerSaysIsDropped() {
        seen(second);
        first.says("a batch", second);
        arrives();
        assertThat(second.got).isEmpty();
    }
}
