package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.lab.peers.PeerJvm;
import io.carillon.lab.peers.Ports;
import io.carillon.lab.peers.Site;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
    @TempDir private Path folder;

    static Plan plan(Path root) {
        Site site =
                new Site(
                        root,
                        "b2bua",
                        true,
                        Transport.UDP,
                        new Site.Cpus("0", "1"),
                        new Ports(18_000),
                        List.of("--x"),
                        new PeerJvm("", List.of()),
                        List.of());
        return new Plan(
                List.of("carillon", "kamailio"),
                "",
                site,
                Made.shape(2, 500, 1000),
                new Limits(5, 3),
                "a machine");
    }

    @Test
    void planAndRowsComeBackAsTheyWereStored() throws IOException {
        Plan plan = plan(folder);
        Results results = Results.begin(folder, plan);
        Row first = Made.row("kamailio", 0, Made.window("carillon", 500, 100.25));
        Row second = Made.notCounted("kamailio", 0, Made.busy("kamailio", 500, 20, 1));
        results.add(first);
        results.add(second);
        assertThat(Results.plan(folder)).isEqualTo(plan);
        assertThat(Results.resume(folder).rows()).containsExactly(first, second);
    }

    @Test
    void aPlanThatAnotherBuildStoredIsRefusedByName() throws IOException {
        Results.begin(folder, plan(folder));
        Path file = folder.resolve("plan.json");
        Files.writeString(
                file, Files.readString(file).replace("kamailioArguments", "somethingElse"));
        assertThatThrownBy(() -> Results.plan(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("plan.json is no plan of a comparison");
        Files.writeString(
                file, Files.readString(file).replaceAll(",\\s*\"somethingElse\" : \\[ ]", ""));
        assertThatThrownBy(() -> Results.plan(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("kamailioArguments");
    }

    @Test
    void aLineThatTheStopCutOffIsForgotten() throws IOException {
        Results results = Results.begin(folder, plan(folder));
        Row row = Made.row("kamailio", 0, Made.window("carillon", 500, 100));
        results.add(row);
        Path rows = folder.resolve("rows.jsonl");
        Files.writeString(rows, "{\"first\":\"carillon\",\"aga", StandardOpenOption.APPEND);
        Results again = Results.resume(folder);
        Row next = Made.row("kamailio", 0, Made.window("kamailio", 500, 90));
        again.add(next);
        assertThat(Results.resume(folder).rows()).containsExactly(row, next);
    }

    @Test
    void aLineInTheMiddleThatIsNoRowIsAnError() throws IOException {
        Results.begin(folder, plan(folder));
        Files.writeString(folder.resolve("rows.jsonl"), "{}x\n{}\n");
        assertThatThrownBy(() -> Results.resume(folder)).hasMessageContaining("rows.jsonl, line 1");
    }

    @Test
    void halfAPairIsNone() throws IOException {
        Results results = Results.begin(folder, plan(folder));
        results.add(Made.row("kamailio", 0, Made.window("carillon", 500, 100)));
        assertThat(results.hasPair("carillon", "kamailio", 500, 0)).isFalse();
        results.add(Made.row("kamailio", 0, Made.window("kamailio", 500, 100)));
        assertThat(results.hasPair("carillon", "kamailio", 500, 0)).isTrue();
        assertThat(results.hasPair("carillon", "kamailio", 1000, 0)).isFalse();
        assertThat(results.hasPair("carillon", "liberty", 500, 0)).isFalse();
    }

    @Test
    void aFolderWithoutAPlanIsNamed() {
        assertThatThrownBy(() -> Results.plan(folder)).hasMessageContaining("it has no plan.json");
    }
}
