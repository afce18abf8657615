package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.lab.peers.Application;
import io.carillon.lab.peers.PeerJvm;
import io.carillon.lab.peers.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** As shipped: what it goes without, and when its windows lie. */
class AsShippedTest {
    private static Site site(boolean asShipped, List<String> arguments, List<String> jvm) {
        Site site =
                ComparisonFolderTest.plan(Path.of("/checkout"), Application.example("proxy"), false)
                        .site();
        return new Site(
                site.root(),
                site.application(),
                site.trying(),
                site.transport(),
                site.cpus(),
                site.ports(),
                arguments,
                new PeerJvm("", jvm),
                site.kamailioArguments(),
                asShipped);
    }

    private static void refused(String reason, Site site, Map<String, String> environment) {
        assertThatThrownBy(() -> AsShipped.check(site, environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason);
    }

    @Test
    void optionsOfTheJvmAndADeclarationAreRefused() {
        List<String> heap = List.of("--jvm", "-Xms4g");
        refused(
                "--as-shipped goes without --server-argument=--jvm",
                site(true, heap, List.of()),
                Map.of());
        List<String> declared = List.of("--param", "proxy.io.carillon.execution=blocking");
        refused(
                "--as-shipped goes without --server-argument=proxy.io.carillon.execution=blocking",
                site(true, declared, List.of()),
                Map.of());
        refused(
                "--as-shipped goes without --peer-jvm",
                site(true, List.of(), List.of("-Xmx2g")),
                Map.of());
        Site nothing = site(true, List.of("--param", "proxy.next-hop=sip:x"), List.of());
        refused(
                "--as-shipped measures default JVM options: unset JAVA_TOOL_OPTIONS",
                nothing,
                Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g"));
        AsShipped.check(nothing, Map.of("CARILLON_JAVA_OPTS", " "));
        AsShipped.check(
                site(false, heap, List.of("-Xmx2g")), Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g"));
    }

    private static LoadShape shape(int warmup, int fill, int measure, int hold) {
        return new LoadShape(List.of(500), 1, warmup, fill, measure, hold, "sipp");
    }

    @Test
    void aPairHasToFitInItsTime() {
        AfterReady.AS_SHIPPED.check(shape(120, 33, 30, 0));
        AfterReady.ANY_TIME.check(shape(900, 900, 900, 900_000));
        assertThatThrownBy(() -> AfterReady.AS_SHIPPED.check(shape(0, 133, 100, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--as-shipped ends its windows 600 s after READY: a pair of them takes 486 s and begins"
                                + " after 120 s; less of --warmup, --fill, --measure or --hold");
        assertThatThrownBy(() -> AfterReady.AS_SHIPPED.check(shape(240, 33, 30, 0)))
                .hasMessageContaining("begins after 480 s");
        assertThatThrownBy(() -> AfterReady.AS_SHIPPED.check(shape(0, 33, 30, 180_000)))
                .hasMessageContaining("takes 506 s");
    }

    @Test
    void itIsReadOffTheSite() {
        assertThat(AfterReady.of(site(true, List.of(), List.of())))
                .isEqualTo(new AfterReady(120, 600));
        assertThat(AfterReady.of(site(false, List.of(), List.of()))).isEqualTo(AfterReady.ANY_TIME);
    }
}
