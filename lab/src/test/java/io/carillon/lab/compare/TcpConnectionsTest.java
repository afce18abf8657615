package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TcpConnectionsTest {
    private static final String HEAD = "  sl  local_address rem_address   st tx_queue rx_queue";
    private static final String LISTENS = "   0: 0100007F:13C4 00000000:0000 0A 00000000:00000000";
    private static final String OURS = "   1: 0100007F:13C4 0100007F:D431 01 00000000:00000000";
    private static final String THEIRS = "   2: 0100007F:D431 0100007F:13C4 01 00000000:00000000";
    private static final String ENDING = "   3: 0100007F:13C4 0100007F:D432 06 00000000:00000000";
    private static final String OTHER = "   4: 0100007F:1F90 0100007F:D433 01 00000000:00000000";

    private static TcpConnections of(String... lines) {
        return TcpConnections.of(List.of(lines), List.of(5060));
    }

    @Test
    void bothEndsOfAConnectionThatIsUpCount() {
        assertThat(of(HEAD, LISTENS, OURS, THEIRS, ENDING, OTHER).count()).isEqualTo(2);
        assertThat(of(HEAD, LISTENS, ENDING, OTHER).count()).isZero();
    }

    @Test
    void oneThatIsAnotherThanBeforeWasOpened() {
        TcpConnections before = of(HEAD, OURS);
        assertThat(of(HEAD, OURS).changedSince(before)).isZero();
        assertThat(of(HEAD, THEIRS).changedSince(before)).isEqualTo(2);
        assertThat(of(HEAD).changedSince(before)).isEqualTo(1);
    }
}
