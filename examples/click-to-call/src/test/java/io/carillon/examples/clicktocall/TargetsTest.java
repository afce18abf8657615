package io.carillon.examples.clicktocall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a page may make the server connect to: SIP listeners of ours, and what is allowed. */
@SipTest(
        contextParams = {
            "click-to-call.no-answer-seconds=30",
            "click-to-call.longest-call-seconds=3600",
            "click-to-call.calls-per-visitor=2",
            "click-to-call.calls-in-all=3",
            "click-to-call.share-percent=25"
        })
class TargetsTest {
    private Targets targets;

    @BeforeEach
    void deploy(SipTestServer server) throws Exception {
        CallServlet servlet = new CallServlet();
        server.deploy("click-to-call", servlet);
        targets = new Targets(servlet.getServletContext());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sip:x@127.0.0.1:6379;transport=tcp",
                "sip:x@127.0.0.1",
                "sip:x@localhost:25;transport=tcp",
                "sip:x@[::1]:6379",
                "sip:x@127.1:6379",
                "sip:x@10.0.0.1:6379;transport=tcp",
                "sip:x@10.0.0.1:6379",
                "sip:x@10.0.0.1;transport=sctp",
                "sips:x@10.0.0.1:5060",
            })
    void loopbackAndOtherPortsOfOursAreNotConnectedTo(String uri) {
        assertThatThrownBy(() -> targets.read(uri))
                .isInstanceOf(Targets.Refused.class)
                .hasMessageContaining("not allowed");
    }

    @Test
    void whereWeListenMayBeCalled() throws Exception {
        assertThat(targets.read("sip:x@10.0.0.1").getHost()).isEqualTo("10.0.0.1");
        assertThat(targets.read("x@10.0.0.1:5060").getPort()).isEqualTo(5060);
    }

    @Test
    @SipTest(
            contextParams = {
                "click-to-call.no-answer-seconds=30",
                "click-to-call.longest-call-seconds=3600",
                "click-to-call.calls-per-visitor=2",
                "click-to-call.calls-in-all=3",
                "click-to-call.share-percent=25",
                "click-to-call.allowed=127.0.0.1, .example.com"
            })
    void whatIsNamedMayBeCalledAtEveryPort() throws Exception {
        assertThat(targets.read("sip:x@127.0.0.1:5070").getPort()).isEqualTo(5070);
        assertThat(targets.read("sip:x@a.Example.com:6000;transport=tcp").getPort())
                .isEqualTo(6000);
        assertThatThrownBy(() -> targets.read("sip:x@localhost:5070"))
                .isInstanceOf(Targets.Refused.class);
    }
}
