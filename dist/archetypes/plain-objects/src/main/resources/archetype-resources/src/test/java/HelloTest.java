package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.SourceApplication;
import io.carillon.testkit.UserAgent;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application in a real container, with phones and a network in memory, under time that the test moves. */
@SipTest
class HelloTest {
    @Test
    void itAnswersAndTheCallerHangsUp(SipTestServer server, @TempDir Path folder) throws Exception {
        server.deploy(SourceApplication.addLibraries(
                SourceApplication.build(Path.of("src/main"), folder.resolve("hello")),
                path -> path.getFileName().toString().startsWith("carillon-pojo")));
        UserAgent alice = server.phone("alice");

        Call call = alice.call(server.uri("hello"));
        server.advance(Duration.ofSeconds(1));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);

        call.bye();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.state()).isEqualTo(Call.State.ENDED);
    }
}
