package io.carillon.bridge.mobicents;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.bridge.mobicents.app.MobicentsPhone;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.check.ArchiveCheck;
import io.carillon.servlet.check.Finding;
import io.carillon.servlet.dispatch.ApiObjects;
import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mobicents.javax.servlet.sip.SipSessionExt;

/** An archive that was compiled against the artifacts and brings nothing of them. */
class ArchiveTest {
    private static final Duration SOON = Duration.ofMillis(200);

    @TempDir Path folder;

    /** An unpacked archive of the application's classes, as the build made them. */
    private Path archive() throws Exception {
        String packages = MobicentsPhone.class.getPackageName().replace('.', '/');
        URI source =
                MobicentsPhone.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path classes = folder.resolve("phone/WEB-INF/classes").resolve(packages);
        Files.createDirectories(classes);
        try (Stream<Path> files = Files.list(Path.of(source).resolve(packages))) {
            for (Path file : files.toList()) {
                Files.copy(file, classes.resolve(file.getFileName()));
            }
        }
        return folder.resolve("phone");
    }

    @Test
    @SipTest(roundTrip = true)
    void itRunsWithTheInterfacesOfTheServer(SipTestServer server) throws Exception {
        Application deployed = server.deploy(archive());
        assertThat(deployed.classLoader().loadClass(SipSessionExt.class.getName()))
                .isSameAs(SipSessionExt.class);
        assertThat(deployed.classLoader().loadClass(MobicentsPhone.class.getName()))
                .isNotSameAs(MobicentsPhone.class);
        assertThat(
                        deployed.context()
                                .getAttribute(
                                        "org.mobicents.servlet.sip.annotation.ConcurrencyControlMode"))
                .hasToString("SipApplicationSession");
        Call call = server.phone("alice").call(server.uri("phone"));
        server.advance(SOON);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
        server.assertNothingLeft();
    }

    @Test
    void theCheckFindsNothingMissingAndSaysWhatTheConcurrencyModeMeansHere() throws Exception {
        var report = ArchiveCheck.of(archive(), folder.resolve("work"));
        assertThat(report.failed()).isFalse();
        assertThat(report.findings())
                .singleElement()
                .extracting(Finding::rule)
                .asString()
                .endsWith(
                        "@ConcurrencyControl(mode=None): here the handlers of one application session never run at the same time");
    }

    @Test
    void nothingOfTheImplementationIsShared() {
        ApiObjects bridge = ApiObjects.installed();
        assertThat(bridge.bridges()).isEqualTo("Mobicents");
        assertThat(bridge.shares("org.mobicents.servlet.sip.SipConnector")).isTrue();
        assertThat(bridge.shares("org.mobicents.servlet.sip.annotation.ConcurrencyControl"))
                .isTrue();
        assertThat(bridge.shares("org.mobicents.servlet.sip.message.SipFactoryImpl")).isFalse();
        assertThat(bridge.shares("org.mobicents.servlet.sip.SipConnectorX")).isFalse();
    }
}
