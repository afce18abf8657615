package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.lab.peers.Application;
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

class ComparisonFolderTest {
    @TempDir private Path folder;

    static ComparisonPlan plan(Path root) {
        return plan(root, Application.example("b2bua"), false);
    }

    static ComparisonPlan plan(Path root, Application application, boolean asShipped) {
        Site site =
                new Site(
                        root,
                        application,
                        true,
                        Transport.UDP,
                        new Site.Cpus("0", "1"),
                        new Ports(18_000),
                        List.of("--x"),
                        new PeerJvm("", List.of()),
                        List.of(),
                        asShipped);
        return new ComparisonPlan(
                List.of("carillon", "kamailio"),
                "",
                site,
                SampleRows.shape(2, 500, 1000),
                new DisturbanceLimits(5, 3),
                "a machine");
    }

    @Test
    void planAndRowsComeBackAsTheyWereStored() throws IOException {
        ComparisonPlan plan = plan(folder);
        ComparisonFolder results = ComparisonFolder.begin(folder, plan);
        StoredWindow first =
                SampleRows.row("kamailio", 0, SampleRows.window("carillon", 500, 100.25));
        StoredWindow second =
                SampleRows.notCounted("kamailio", 0, SampleRows.busy("kamailio", 500, 20, 1));
        results.add(first);
        results.add(second);
        assertThat(ComparisonFolder.plan(folder)).isEqualTo(plan);
        assertThat(ComparisonFolder.resume(folder).rows()).containsExactly(first, second);
    }

    @Test
    void anArchiveAndItsConditionsComeBackToo() throws IOException {
        Application own = new Application("switch", "/home/x/my.war", "desk", "adaptive");
        ComparisonFolder.begin(folder, plan(folder, own, true));
        ComparisonPlan back = ComparisonFolder.plan(folder);
        assertThat(back.site().application()).isEqualTo(own);
        assertThat(back.site().asShipped()).isTrue();
        assertThat(back.when()).isEqualTo(AfterReady.AS_SHIPPED);
    }

    @Test
    void aPlanThatAnotherBuildStoredIsRefusedByName() throws IOException {
        ComparisonFolder.begin(folder, plan(folder));
        Path file = folder.resolve("plan.json");
        Files.writeString(
                file, Files.readString(file).replace("kamailioArguments", "somethingElse"));
        assertThatThrownBy(() -> ComparisonFolder.plan(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("plan.json is no plan of a comparison");
        Files.writeString(
                file, Files.readString(file).replaceAll(",\\s*\"somethingElse\" : \\[ ]", ""));
        assertThatThrownBy(() -> ComparisonFolder.plan(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("kamailioArguments");
    }

    @Test
    void aLineThatTheStopCutOffIsForgotten() throws IOException {
        ComparisonFolder results = ComparisonFolder.begin(folder, plan(folder));
        StoredWindow row = SampleRows.row("kamailio", 0, SampleRows.window("carillon", 500, 100));
        results.add(row);
        Path rows = folder.resolve("rows.jsonl");
        Files.writeString(rows, "{\"first\":\"carillon\",\"aga", StandardOpenOption.APPEND);
        ComparisonFolder again = ComparisonFolder.resume(folder);
        StoredWindow next = SampleRows.row("kamailio", 0, SampleRows.window("kamailio", 500, 90));
        again.add(next);
        assertThat(ComparisonFolder.resume(folder).rows()).containsExactly(row, next);
    }

    @Test
    void aLineInTheMiddleThatIsNoRowIsAnError() throws IOException {
        ComparisonFolder.begin(folder, plan(folder));
        Files.writeString(folder.resolve("rows.jsonl"), "{}x\n{}\n");
        assertThatThrownBy(() -> ComparisonFolder.resume(folder))
                .hasMessageContaining("rows.jsonl, line 1");
    }

    @Test
    void halfAPairIsNone() throws IOException {
        ComparisonFolder results = ComparisonFolder.begin(folder, plan(folder));
        results.add(SampleRows.row("kamailio", 0, SampleRows.window("carillon", 500, 100)));
        assertThat(results.hasPair("carillon", "kamailio", 500, 0)).isFalse();
        results.add(SampleRows.row("kamailio", 0, SampleRows.window("kamailio", 500, 100)));
        assertThat(results.hasPair("carillon", "kamailio", 500, 0)).isTrue();
        assertThat(results.hasPair("carillon", "kamailio", 1000, 0)).isFalse();
        assertThat(results.hasPair("carillon", "liberty", 500, 0)).isFalse();
    }

    @Test
    void aFolderWithoutAPlanIsNamed() {
        assertThatThrownBy(() -> ComparisonFolder.plan(folder))
                .hasMessageContaining("it has no plan.json");
    }
}
