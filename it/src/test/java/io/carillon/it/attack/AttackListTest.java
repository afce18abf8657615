package io.carillon.it.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.websocket.FrameReader;
import io.carillon.net.websocket.HttpHead;
import io.carillon.net.websocket.Upgrade;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An attack that is not what it says would be withstood by anybody. */
class AttackListTest {

    @Test
    void eachAttackHasALineOfTheChecklistAndANameOfItsOwn() {
        List<String> ids = AttackList.all(10_000).stream().map(Attack::id).toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("A[0-4]\\d(-[a-z-]+)?"));
        assertThat(ids)
                .isSortedAccordingTo((a, b) -> a.substring(0, 3).compareTo(b.substring(0, 3)));
    }

    @Test
    void everyDoorIsAttacked() {
        for (Door door : Door.values()) {
            assertThat(AttackList.all(10_000)).anyMatch(one -> one.door() == door);
        }
    }

    private static Upgrade.Answer answer(byte[] bytes) {
        HttpHead.Reader reader = new HttpHead.Reader();
        reader.feed(bytes, 0, bytes.length);
        return Upgrade.answer(
                reader.whole() ? reader.head() : null, "/", List.of("https://good.example"));
    }

    @Test
    void upgradesAreWhatTheySay() {
        assertThat(answer(Frames.upgrade()).accepted()).isTrue();
        assertThat(answer(Frames.halfUpgrade()).accepted()).isFalse();
        for (Template refused : Frames.refused()) {
            assertThat(answer(refused.next(1)).accepted()).isFalse();
        }
    }

    @Test
    void framesAreWhatTheySay() {
        Heard heard = new Heard();
        heard.take(Frames.message("OPTIONS ########\n").next(1));
        heard.take(Frames.ping().next(1));
        assertThat(heard.said).hasSize(2);
        assertThat(heard.said.getFirst()).matches("OPTIONS [0-9a-f]{8}\r\n");
        assertThat(heard.said.getLast()).isEqualTo("ping of 125");
        for (Template wrong : Frames.wrong()) {
            Heard broken = new Heard();
            broken.take(wrong.next(1));
            assertThat(broken.said).singleElement().asString().startsWith("broken");
        }
        Heard pieces = new Heard();
        byte[] begun = Frames.upgradeAndBegin();
        int head = Frames.upgrade().length;
        pieces.reader.feed(begun, head, begun.length - head, pieces);
        Frames.fragments().forEach(one -> pieces.take(one.next(1)));
        assertThat(pieces.said).isEmpty();
        assertThat(pieces.reader.bytesBuffered())
                .as("allocated for 501 that wait")
                .isBetween(501, 1_002);
    }

    @Test
    void whatHoldsNothingIsWhole() {
        Heard heard = new Heard();
        Frames.nothing().forEach(one -> heard.take(one.next(1)));
        assertThat(heard.said).hasSize(3_000).containsOnly("", "\r\n", "pong");
        assertThat(heard.reader.midMessage()).isFalse();
        Heard pieces = new Heard();
        byte[] begun = Frames.upgradeAndBegin();
        int head = Frames.upgrade().length;
        pieces.reader.feed(begun, head, begun.length - head, pieces);
        pieces.take(Frames.emptyFragments().next(1));
        assertThat(pieces.said).isEmpty();
        assertThat(pieces.reader.bytesBuffered()).isEqualTo(1);
    }

    @Test
    void aClientHelloIsARecordOfTls() {
        byte[] hello = TlsPipe.clientHello("TLSv1.3");
        assertThat(hello[0]).isEqualTo((byte) 22);
        assertThat(hello[5]).isEqualTo((byte) 1);
        assertThat((hello[3] & 0xFF) << 8 | (hello[4] & 0xFF)).isEqualTo(hello.length - 5);
    }

    private static final class Heard implements FrameReader.Sink {
        private final FrameReader reader = new FrameReader(true, 65_535);
        private final List<String> said = new ArrayList<>();

        void take(byte[] bytes) {
            reader.feed(bytes, 0, bytes.length, this);
        }

        @Override
        public void message(byte[] owned, int length) {
            said.add(new String(owned, 0, length, StandardCharsets.ISO_8859_1));
        }

        @Override
        public void fragment() {}

        @Override
        public void ping(byte[] payload) {
            said.add("ping of " + payload.length);
        }

        @Override
        public void pong() {
            said.add("pong");
        }

        @Override
        public void closed(int code) {
            said.add("closed " + code);
        }

        @Override
        public void broken(int code, String why) {
            said.add("broken " + code);
        }
    }
}
