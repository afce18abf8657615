package io.carillon.examples.plainproxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.SourceApplication;
import io.carillon.testkit.UserAgent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive in a container: the handlers are found without a framework and without sip.xml. */
@SipTest(contextParams = "plain-proxy.next-hop=sip:10.0.1.2")
class PlainProxyTest {
    /** With the libraries that the application brings. */
    static Path archive(Path folder) throws IOException {
        return SourceApplication.addLibraries(
                SourceApplication.build(Path.of("src/main"), folder.resolve("proxy")),
                path ->
                        path.endsWith("pojo/target/classes")
                                || path.getFileName().toString().startsWith("carillon-pojo"));
    }

    @Test
    void aCallGoesThroughAndItsByeToo(SipTestServer server, @TempDir Path folder) throws Exception {
        server.deploy(archive(folder));
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        Call call = alice.call(server.uri("bob"));
        server.advance(Duration.ofSeconds(1));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        bob.lastCall().bye();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.state()).isEqualTo(Call.State.ENDED);
    }
}
