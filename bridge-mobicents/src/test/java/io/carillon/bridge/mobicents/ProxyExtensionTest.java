package io.carillon.bridge.mobicents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.header.HeaderName;
import io.carillon.testkit.Call;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import java.util.List;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mobicents.javax.servlet.sip.ProxyBranchExt;
import org.mobicents.javax.servlet.sip.ProxyExt;

/** What Mobicents adds to proxies. */
@SipTest
class ProxyExtensionTest {
    private static final Duration SOON = Duration.ofMillis(200);

    private final Scripted relay = new Scripted();
    private SipTestServer server;
    private UserAgent alice;
    private ScriptedPeer first;
    private UserAgent second;

    @BeforeEach
    void deploy(SipTestServer made) throws Exception {
        server = made;
        server.deploy("relay", relay);
        alice = server.phone("alice");
        first = server.peer("first");
        second = server.phone("second").onCall(Call::answer);
    }

    private List<URI> targets() throws javax.servlet.ServletException {
        return List.of(
                relay.factory().createURI("sip:first@10.0.1.2"),
                relay.factory().createURI("sip:second@10.0.1.3"));
    }

    /** Proxies the INVITE one target after the other, as the test prepares it. */
    private void proxying(Scripted.Handler<Proxy> prepare) {
        relay.on.put(
                "INVITE",
                invite -> {
                    if (invite.isInitial()) {
                        Proxy proxy = invite.getProxy();
                        proxy.setParallel(false);
                        proxy.setRecordRoute(true);
                        prepare.handle(proxy);
                    }
                });
        relay.on.put("BYE", bye -> {});
    }

    private static void reachable(ScriptedPeer peer, int... statuses) {
        var invite = peer.expect("INVITE");
        for (int status : statuses) {
            peer.reply(invite, status, "Contact: <sip:first@10.0.1.2>");
        }
    }

    @Test
    void aTargetThatRingsNowhereIsLeftForTheNext() {
        proxying(proxy -> {
            ((ProxyExt) proxy).setProxy1xxTimeout(2);
            assertThat(((ProxyExt) proxy).getProxy1xxTimeout()).isEqualTo(2);
            proxy.proxyTo(targets());
        });
        Call call = alice.call(server.uri("x"));
        reachable(first, 100);
        server.advance(Duration.ofMillis(1900));
        assertThat(relay.branchTimeouts).isEmpty();
        server.advance(SOON);
        assertThat(relay.branchTimeouts).containsExactly("INFORMATIONAL sip:first@10.0.1.2");
        first.reply(first.expect("CANCEL"), 200);
        first.reply(first.all().getFirst(), 487);
        server.advance(SOON);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(second.calls()).hasSize(1);
    }

    @Test
    void aTargetThatSaysNothingAtAllIsLeftForTheNext() {
        proxying(proxy -> {
            ((ProxyExt) proxy).setProxy1xxTimeout(2);
            proxy.proxyTo(targets());
        });
        Call call = alice.call(server.uri("x"));
        server.advance(Duration.ofMillis(2300));
        assertThat(relay.branchTimeouts).containsExactly("INFORMATIONAL sip:first@10.0.1.2");
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(first.count("CANCEL")).as("RFC 3261 9.1: held back").isZero();
    }

    @Test
    void aTargetThatRingsHasTheTimeOfTheWholeProxy() {
        proxying(proxy -> {
            ((ProxyExt) proxy).setProxy1xxTimeout(2);
            proxy.setProxyTimeout(5);
            proxy.proxyTo(targets());
        });
        alice.call(server.uri("x"));
        reachable(first, 180);
        server.advance(Duration.ofSeconds(4));
        assertThat(relay.branchTimeouts).isEmpty();
        server.advance(Duration.ofSeconds(2));
        assertThat(relay.branchTimeouts).containsExactly("FINAL sip:first@10.0.1.2");
    }

    @Test
    void inParallelEveryTargetHasItsOwnTime() {
        proxying(proxy -> {
            proxy.setParallel(true);
            ((ProxyExt) proxy).setProxy1xxTimeout(3);
            List<ProxyBranch> branches = proxy.createProxyBranches(targets());
            ProxyBranchExt branch = (ProxyBranchExt) branches.getFirst();
            assertThat(branch.getProxyBranch1xxTimeout()).isEqualTo(3);
            assertThatThrownBy(() -> branch.setProxyBranch1xxTimeout(4))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> branch.setProxyBranch1xxTimeout(0))
                    .isInstanceOf(IllegalArgumentException.class);
            branch.setProxyBranch1xxTimeout(1);
            proxy.startProxy();
        });
        second.onCall(Call::ring);
        Call call = alice.call(server.uri("x"));
        server.advance(Duration.ofSeconds(5));
        assertThat(relay.branchTimeouts).containsExactly("INFORMATIONAL sip:first@10.0.1.2");
        assertThat(call.state()).isEqualTo(Call.State.EARLY);
        second.lastCall().answer();
        server.advance(SOON);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
    }

    @Test
    void parametersOfTheRecordRouteAreTheApplicationsItsHostIsNot() throws Exception {
        proxying(proxy -> {
            SipURI own = uri("sip:10.0.0.1;billing=on;transport=tcp;lr");
            ((ProxyExt) proxy).setRecordRouteURI(own);
            assertThatThrownBy(() -> ((ProxyExt) proxy).setRecordRouteURI(uri("sip:name.test")))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("sip.external-host");
            proxy.proxyTo(targets());
        });
        alice.call(server.uri("x"));
        assertThat(first.expect("INVITE").request().headers(HeaderName.RECORD_ROUTE))
                .singleElement()
                .asString()
                .contains(";billing=on")
                .doesNotContain("transport=tcp");
    }

    private SipURI uri(String text) throws javax.servlet.ServletException {
        return (SipURI) relay.factory().createURI(text);
    }

    @Test
    void proxyAndBranchTakeAnOutboundInterfaceByItsUri() {
        proxying(proxy -> {
            ((ProxyExt) proxy).setOutboundInterface(uri("sip:10.0.0.1:5060"));
            ProxyBranch branch = proxy.createProxyBranches(targets()).getFirst();
            ((ProxyBranchExt) branch).setOutboundInterface(uri("sip:10.0.0.1"));
            ((ProxyBranchExt) branch).setRecordRouteURI(uri("sip:10.0.0.1;leg=1"));
            assertThatThrownBy(() ->
                            ((ProxyBranchExt) branch).setOutboundInterface(uri("sip:10.9.9.9")))
                    .isInstanceOf(IllegalArgumentException.class);
            proxy.startProxy();
        });
        alice.call(server.uri("x"));
        assertThat(first.expect("INVITE").request().headers(HeaderName.RECORD_ROUTE).getFirst())
                .contains(";leg=1");
    }

    @Test
    void whatAProxyCannotDoHereIsRefusedInWords() throws Exception {
        proxying(proxy -> {
            ProxyExt wider = (ProxyExt) proxy;
            wider.setSipOutboundSupport(true);
            assertThat(wider.getSipOutboundSupport()).isTrue();
            wider.storeTerminationInformation(false);
            assertThatThrownBy(() -> wider.storeTerminationInformation(true))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("B2BUA");
            SipServletRequest request = proxy.getOriginalRequest();
            assertThatThrownBy(() -> wider.terminateSession(request.getSession(), 500, "", 500, ""))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> wider.setProxy1xxTimeout(0))
                    .isInstanceOf(IllegalArgumentException.class);
            proxy.proxyTo(targets());
        });
        alice.call(server.uri("x"));
        first.expect("INVITE");
    }
}
