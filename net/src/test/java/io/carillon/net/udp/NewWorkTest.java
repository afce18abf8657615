package io.carillon.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NewWorkTest {
    private static final Hop FROM =
            new Hop(Transport.UDP, null, new InetSocketAddress("192.0.2.1", 5060), 0);

    private final List<String> served = new ArrayList<>();

    private NewWork ofBytes(long most) {
        return new NewWork(
                most,
                (message, from, came) -> {
                    assertThat(from).isSameAs(FROM);
                    served.add(new String(message, StandardCharsets.US_ASCII) + " " + came);
                });
    }

    private static void add(NewWork work, String message, long came) {
        work.add(message.getBytes(StandardCharsets.US_ASCII), FROM, came);
    }

    @Test
    void theOldestIsServedFirstWithTheTimeAtWhichItCame() {
        NewWork work = ofBytes(1_000);
        assertThat(work.waits()).isFalse();
        add(work, "a", 1);
        add(work, "b", 2);
        add(work, "c", 3);
        work.serve(2);
        assertThat(served).containsExactly("a 1", "b 2");
        assertThat(work.waits()).isTrue();
        work.serve(2);
        assertThat(served).containsExactly("a 1", "b 2", "c 3");
        assertThat(work.waits()).isFalse();
    }

    @Test
    void whereThereIsNoMoreRoomTheOldestIsServedAndNothingIsLost() {
        NewWork work = ofBytes(1_000_000);
        int most = NewWork.MOST + 3;
        IntStream.range(0, most).forEach(i -> add(work, "x", i));
        assertThat(served).containsExactly("x 0", "x 1", "x 2");
        work.serve(most);
        assertThat(served).hasSize(most).last().isEqualTo("x " + (most - 1));
    }

    @Test
    void bytesHaveABoundToo() {
        NewWork work = ofBytes(10);
        add(work, "aaaa", 1);
        add(work, "bbbb", 2);
        assertThat(served).isEmpty();
        add(work, "cccccc", 3);
        assertThat(served).containsExactly("aaaa 1");
        add(work, "longer than all", 4);
        assertThat(served).containsExactly("aaaa 1", "bbbb 2", "cccccc 3");
        work.serve(1);
        add(work, "dddddddddd", 5);
        assertThat(served).last().isEqualTo("longer than all 4");
    }
}
