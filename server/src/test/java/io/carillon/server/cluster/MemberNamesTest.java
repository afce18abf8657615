package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.TableChange;
import io.carillon.cluster.table.TableMachine;
import io.carillon.server.config.ClusterSettings;
import io.carillon.sip.hop.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Members whose names come to be known, and move. */
class MemberNamesTest {
    private static final HostPort ZERO = HostPort.of("carillon-0", 7800);
    private static final HostPort ONE = HostPort.of("carillon-1", 7800);

    private final Map<String, String> dns = new HashMap<>(Map.of("carillon-0", "10.0.0.10"));
    private final MemberNames names =
            MemberNames.by(
                    new ClusterSettings(
                            "east",
                            List.of(ZERO, ONE),
                            null,
                            ZERO,
                            HostPort.of("198.51.100.5", 5060),
                            List.of(),
                            List.of(),
                            Path.of("cluster.key"),
                            Duration.ofSeconds(2)),
                    this::look);

    private InetSocketAddress look(HostPort of) {
        String digits = dns.get(of.bareHost());
        return digits == null
                ? InetSocketAddress.createUnresolved(of.bareHost(), of.port())
                : at(digits, of.port());
    }

    private static InetSocketAddress at(String digits, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(digits), port);
    }

    @Test
    void oneThatIsNotKnownKeepsNobodyFromStartingAndIsFoundLater() {
        assertThat(names.get().known()).containsExactly(at("10.0.0.10", 7800));
        assertThat(names.get().links()).containsOnlyKeys(0);
        dns.put("carillon-1", "10.0.0.11");
        names.lookUp();
        assertThat(names.get().known())
                .containsExactly(at("10.0.0.10", 7800), at("10.0.0.11", 7800));
        assertThat(names.get().links()).containsEntry(1, at("10.0.0.11", 7803));
        assertThat(names.first().known()).hasSize(1);
    }

    @Test
    void oneThatMovedIsFoundAndOneThatIsNotKnownAnyMoreKeepsItsLastAddress() {
        dns.put("carillon-0", "10.0.0.99");
        names.lookUp();
        assertThat(names.get().address(0)).isEqualTo(at("10.0.0.99", 7800));
        dns.remove("carillon-0");
        names.lookUp();
        assertThat(names.get().address(0)).isEqualTo(at("10.0.0.99", 7800));
    }

    @Test
    void whereAMemberJoinedIsLaterThanItsName() {
        TableMachine machine = new TableMachine(PartitionTable.of(0, 1));
        String joined = at("10.0.0.77", 7800).toString();
        machine.apply(new TableChange.Join(1, 1, 0, "carillon-1", joined, false).toBytes());
        ClusterMembers now = names.get();
        assertThat(now.links(machine.table()))
                .containsEntry(0, at("10.0.0.10", 7803))
                .containsEntry(1, at("10.0.0.77", 7803));
        assertThat(now.pages(1, machine.table())).isEqualTo(at("10.0.0.77", 7802));
        machine.apply(new TableChange.Died(1, 1).toBytes());
        assertThat(now.links(machine.table())).containsOnlyKeys(0);
        assertThat(now.pages(1, machine.table()).isUnresolved()).isTrue();
    }

    @Test
    void peopleSeeTheNameOfOneThatIsNotKnown() {
        assertThat(names.get().all().stream().map(ClusterMembers::printed))
                .containsExactly("10.0.0.10:7800", "carillon-1:7800");
    }
}
