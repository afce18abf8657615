package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** The way by which a message came, in a record that another node reads. */
class HopInRecordTest {
    private static final InetSocketAddress HERE = new InetSocketAddress("198.51.100.1", 5060);
    private static final InetSocketAddress THERE = new InetSocketAddress("192.0.2.7", 40_000);

    private static Hop read(Hop hop) {
        StateWriter out = new StateWriter();
        MessageBytes.writeHop(out, hop);
        return MessageBytes.readHop(new StateReader(out.toByteArray()));
    }

    @Test
    void aConnectionThatEndsAtARouterMeansTheSameThere() {
        Hop flow = new Hop(Transport.TCP, HERE, THERE, 1L << 62 | 7);
        assertThat(read(flow)).isEqualTo(flow);
    }

    @Test
    void oneOfTheNodesOwnMeansNothingThere() {
        assertThat(read(new Hop(Transport.TCP, HERE, THERE, 7)).connection()).isZero();
    }

    @Test
    void theBytesOfBeforeAreRead() {
        Hop datagram = new Hop(Transport.UDP, HERE, THERE, 0);
        assertThat(read(datagram)).isEqualTo(datagram);
        assertThat(read(Hop.internal(datagram, new Object())).internal()).isTrue();
        // A boolean stood where the kind of way stands now.
        StateWriter before = new StateWriter();
        before.putString("UDP").putBytes(HERE.getAddress().getAddress()).putVarint(5060);
        before.putBytes(THERE.getAddress().getAddress()).putVarint(40_000).putBoolean(true);
        assertThat(MessageBytes.readHop(new StateReader(before.toByteArray())).internal()).isTrue();
    }
}
