package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.apps.ApplicationStatus;
import io.carillon.server.apps.Deployer;
import io.carillon.server.apps.DevelopmentReport;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Deployments by command: a few at a time, so that a thread is left for whoever stops the server.
 */
class ApplicationCommandsTest {
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch underWay = new CountDownLatch(4);

    private final Deployer hanging =
            new Deployer() {
                @Override
                public ApplicationStatus deploy(Path archive) {
                    underWay.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return new ApplicationStatus("slow", 1, "started", 0, archive.toString());
                }

                @Override
                public ApplicationStatus replace(Path archive) {
                    return deploy(archive);
                }

                @Override
                public boolean undeploy(String name, boolean now) {
                    return true;
                }

                @Override
                public List<ApplicationStatus> versions() {
                    return List.of();
                }
            };

    @Test
    void whatWatchSaidLastIsShown() throws Exception {
        ControlCommand development =
                Objects.requireNonNull(ApplicationCommands.of(hanging).get("development"));
        assertThat(development.answer("")).isEqualTo(DevelopmentReport.NONE.line());
        String report =
                DevelopmentReport.of("/src", "now", false, "NOT DEPLOYED", List.of("A.java:1"))
                        .line();
        development.answer(report);
        assertThat(development.answer("")).isEqualTo(report);
        assertThatThrownBy(() -> development.answer("no report"))
                .isInstanceOf(ControlFailure.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void theFifthDeploymentAtATimeIsRefused() throws Exception {
        Map<String, ControlCommand> commands = ApplicationCommands.of(hanging);
        ControlCommand deploy = Objects.requireNonNull(commands.get("deploy"));
        for (int i = 0; i < 4; i++) {
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        try {
                            deploy.answer("/a.war");
                        } catch (ControlFailure e) {
                            throw new AssertionError(e);
                        }
                    });
        }
        underWay.await();
        assertThatThrownBy(() -> deploy.answer("/b.war"))
                .isInstanceOf(ControlFailure.class)
                .hasMessageContaining("4 deployments are under way");
        ControlCommand undeploy = Objects.requireNonNull(commands.get("undeploy"));
        assertThat(undeploy.answer("other")).contains("undeployed other");
        released.countDown();
    }
}
