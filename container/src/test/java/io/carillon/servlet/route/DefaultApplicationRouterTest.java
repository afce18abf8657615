package io.carillon.servlet.route;

import static io.carillon.servlet.TestRequests.request;
import static io.carillon.servlet.TestRequests.sessionOf;
import static io.carillon.servlet.TestRequests.sip;
import static io.carillon.servlet.TestRequests.tel;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.TestRequests;
import io.carillon.servlet.members.Proves;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipRouteModifier;
import javax.servlet.sip.ar.SipTargetedRequestInfo;
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultApplicationRouterTest {
    @TempDir Path folder;

    private static SipServletRequest to(String method, String user) {
        return TestRequests.of(request(method, sip(user, "127.0.0.1", 5060, Map.of())));
    }

    private static SipServletRequest madeBy(String application) {
        Map<String, Object> answers = request("INVITE", sip("x", "127.0.0.1", 5060, Map.of()));
        answers.put("getInitialRemoteAddr", null);
        answers.put("getSession", sessionOf(application));
        return TestRequests.of(answers);
    }

    private DefaultApplicationRouter router(String content, String... deployed) throws Exception {
        DefaultApplicationRouter router =
                new DefaultApplicationRouter(
                        Files.writeString(folder.resolve("dar.properties"), content));
        router.init();
        router.applicationDeployed(List.of(deployed));
        return router;
    }

    private static String entry(String application, int order) {
        return "(\""
                + application
                + "\", \"\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \""
                + order
                + "\")";
    }

    private static String entry(String application, int order, String conditions) {
        return "(\""
                + application
                + "\", \"\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \""
                + order
                + "\", \""
                + conditions
                + "\")";
    }

    private static SipApplicationRouterInfo first(
            DefaultApplicationRouter router, SipServletRequest request) {
        return router.getNextApplication(
                request, null, SipApplicationRoutingDirective.NEW, null, null);
    }

    /** The applications that a request visits when each sends it on. */
    private static List<String> chain(DefaultApplicationRouter router, SipServletRequest request) {
        List<String> visited = new ArrayList<>();
        SipApplicationRoutingDirective directive = SipApplicationRoutingDirective.NEW;
        Serializable state = null;
        SipApplicationRoutingRegion region = null;
        while (visited.size() < 10) {
            SipApplicationRouterInfo info =
                    router.getNextApplication(request, region, directive, null, state);
            if (info.getNextApplicationName() == null) {
                return visited;
            }
            visited.add(info.getNextApplicationName());
            state = info.getStateInfo();
            region = info.getRoutingRegion();
            directive = SipApplicationRoutingDirective.CONTINUE;
        }
        return visited;
    }

    @Test
    @Proves({
        "ar.SipApplicationRouter#applicationUndeployed(List)",
        "ar.SipApplicationRouter#applicationDeployed(List)",
    })
    void withoutAFileApplicationsAreVisitedInTheOrderOfTheirDeployment() {
        DefaultApplicationRouter router = new DefaultApplicationRouter(null);
        router.init();
        assertThat(first(router, to("INVITE", "x")).getNextApplicationName()).isNull();
        router.applicationDeployed(List.of("one"));
        router.applicationDeployed(List.of("two", "three"));
        assertThat(chain(router, to("INVITE", "x"))).containsExactly("one", "two", "three");
        router.applicationUndeployed(List.of("two"));
        assertThat(chain(router, to("MESSAGE", "x"))).containsExactly("one", "three");
        router.applicationDeployed(List.of("two"));
        assertThat(chain(router, to("INVITE", "x"))).containsExactly("one", "three", "two");
    }

    @Test
    void withoutAFileARequestOfAnApplicationGoesToThoseBehindIt() {
        DefaultApplicationRouter router = new DefaultApplicationRouter(null);
        router.init();
        router.applicationDeployed(List.of("one", "two"));
        assertThat(chain(router, madeBy("one"))).containsExactly("two");
        assertThat(chain(router, madeBy("two"))).isEmpty();
    }

    @Test
    void theFilesOrderCountsAndOnlyForDeployedApplications() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "INVITE: "
                                + entry("c", 2)
                                + ","
                                + entry("a", 0)
                                + ","
                                + entry("missing", 1),
                        "c",
                        "a");
        assertThat(chain(router, to("INVITE", "x"))).containsExactly("a", "c");
        assertThat(chain(router, to("MESSAGE", "x"))).isEmpty();
    }

    @Test
    void allStandsForMethodsWithoutAMatch() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "INVITE: "
                                + entry("a", 0, "USER=alice")
                                + "\nALL: "
                                + entry("b", 0)
                                + ","
                                + entry("c", 1),
                        "a",
                        "b",
                        "c");
        assertThat(chain(router, to("INVITE", "alice"))).containsExactly("a");
        assertThat(chain(router, to("INVITE", "bob"))).containsExactly("b", "c");
        assertThat(chain(router, to("MESSAGE", "alice"))).containsExactly("b", "c");
    }

    @Test
    @Proves(
            value =
                    "ar.SipApplicationRouter#"
                            + "getNextApplication(SipServletRequest,SipApplicationRoutingRegion,SipApplicationRoutingDirective,SipTargetedRequestInfo,Serializable)",
            also = "ar.SipApplicationRouter#applicationDeployed(List)")
    void anApplicationNeverGetsTheRequestItMade() throws Exception {
        DefaultApplicationRouter router =
                router("INVITE: " + entry("a", 0) + "," + entry("b", 1), "a", "b");
        assertThat(first(router, madeBy("a")).getNextApplicationName()).isEqualTo("b");
        assertThat(first(router, madeBy("b")).getNextApplicationName()).isEqualTo("a");
    }

    @Test
    void anApplicationThatStandsInTheListTwiceIsVisitedTwice() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "INVITE: " + entry("a", 0) + "," + entry("a", 1) + "," + entry("b", 2),
                        "a",
                        "b");
        assertThat(chain(router, to("INVITE", "x"))).containsExactly("a", "a", "b");
        assertThat(router.atEnd("INVITE", "a", 1)).isFalse();
        assertThat(router.atEnd("INVITE", "b", 3)).isTrue();
        assertThat(router.consider(to("INVITE", "x"), 1, "a"))
                .extracting(DefaultApplicationRouter.Considered::taken)
                .containsExactly(true);
    }

    @Test
    void subscriberIsAUriOrComesFromAHeader() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "INVITE: (\"a\", \"DAR\\:From\", \"ORIGINATING\", \"\", \"NO_ROUTE\", \"0\")\n"
                                + "MESSAGE: (\"a\", \"DAR:to\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"0\")\n"
                                + "OPTIONS: (\"a\", \"DAR:X-Sub\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"0\")\n"
                                + "INFO: (\"a\", \"sip:fix@x\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"0\")\n",
                        "a");
        SipApplicationRouterInfo info = first(router, to("INVITE", "x"));
        assertThat(info.getSubscriberURI()).isEqualTo("sip:alice@atlanta.example");
        assertThat(info.getRoutingRegion())
                .isSameAs(SipApplicationRoutingRegion.ORIGINATING_REGION);
        assertThat(first(router, to("MESSAGE", "x")).getSubscriberURI())
                .isEqualTo("sip:bob@biloxi.example:5070");
        assertThat(first(router, to("INFO", "x")).getSubscriberURI()).isEqualTo("sip:fix@x");
        assertThat(first(router, to("OPTIONS", "x")).getSubscriberURI()).isEmpty();
        Map<String, Object> answers = request("OPTIONS", sip("x", "y", -1, Map.of()));
        answers.put("getHeader(X-Sub)", "7");
        assertThat(first(router, TestRequests.of(answers)).getSubscriberURI()).isEqualTo("7");
    }

    @Test
    void routesAreGivenToTheContainer() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "INVITE: (\"\", \"\", \"NEUTRAL\", \"sip:out.example;lr\", \"ROUTE\", \"0\")");
        SipApplicationRouterInfo info = first(router, to("INVITE", "x"));
        assertThat(info.getNextApplicationName()).isNull();
        assertThat(info.getRouteModifier()).isEqualTo(SipRouteModifier.ROUTE);
        assertThat(info.getRoutes()).containsExactly("sip:out.example;lr");
    }

    @Test
    void directionTellsTheNetworkFromOurOwnApplications() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "INVITE: "
                                + entry("in", 0, "DIRECTION=INBOUND")
                                + ","
                                + entry("out", 1, "DIRECTION=OUTBOUND")
                                + ","
                                + entry("both", 2),
                        "in",
                        "out",
                        "both");
        assertThat(chain(router, to("INVITE", "x"))).containsExactly("in", "both");
        assertThat(chain(router, madeBy("other"))).containsExactly("out", "both");
    }

    @Test
    void regexIsFoundInTheWholeTextOfTheRequest() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "INVITE: "
                                + entry("start", 0, "REGEX=^INVITE sips?:uas@")
                                + ","
                                + entry(
                                        "from",
                                        1,
                                        "DIRECTION=INBOUND REGEX=From:.*sip:alice@atlanta\\\\.example")
                                + ","
                                + entry("never", 2, "REGEX=From: no such one"),
                        "start",
                        "from",
                        "never");
        assertThat(chain(router, to("INVITE", "uas"))).containsExactly("start", "from");
        assertThat(chain(router, to("INVITE", "uasx"))).containsExactly("from");
    }

    @Test
    void headerConditionLooksAtEachValue() throws Exception {
        DefaultApplicationRouter router =
                router("INVITE: " + entry("a", 0, "HEADER_User-Agent=^SIPp HEADER_X=1"), "a");
        Map<String, Object> answers = request("INVITE", sip("x", "y", -1, Map.of()));
        assertThat(chain(router, TestRequests.of(answers))).isEmpty();
        answers.put("getHeaders(User-Agent)", List.of("SIPp 3.6").listIterator());
        answers.put("getHeaders(X)", List.of("0", "1").listIterator());
        assertThat(chain(router, TestRequests.of(answers))).containsExactly("a");
    }

    @Test
    void userIsTheRequestUrisUserPartOrNumber() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "ALL: "
                                + entry("a", 0, "USER=uas")
                                + ","
                                + entry("b", 1, "USER=+12125550101"),
                        "a",
                        "b");
        assertThat(chain(router, to("INVITE", "uas"))).containsExactly("a");
        assertThat(chain(router, to("INVITE", "UAS"))).isEmpty();
        assertThat(chain(router, TestRequests.of(request("INVITE", tel("12125550101", true)))))
                .containsExactly("b");
    }

    @Test
    void severalUsersStandInOneConditionWithABarBetweenThem() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "ALL: "
                                + entry("dial", 0, "USER=1|2 | 3")
                                + ","
                                + entry("uas", 1, "USER=uas|1"),
                        "dial",
                        "uas");
        assertThat(chain(router, to("INVITE", "1"))).containsExactly("dial", "uas");
        assertThat(chain(router, to("INVITE", "3"))).containsExactly("dial");
        assertThat(chain(router, to("INVITE", "uas"))).containsExactly("uas");
        assertThat(chain(router, to("INVITE", "1|2"))).isEmpty();
        assertThat(chain(router, to("INVITE", "4"))).isEmpty();
    }

    /**
     * As the file of the example applications: the user part chooses, anything else is nobody's.
     */
    @Test
    void examplesAreChosenByTheUserPart() throws Exception {
        String separator = ", \\\n     ";
        String content =
                "ALL: "
                        + entry("uas", 0, "USER=uas")
                        + separator
                        + entry("b2bua", 1, "USER=b2bua")
                        + separator
                        + entry("proxy", 2, "REGEX=^[A-Z]+ sips?:proxy@");
        DefaultApplicationRouter router = router(content, "proxy", "uas", "b2bua");
        assertThat(chain(router, to("INVITE", "uas"))).containsExactly("uas");
        assertThat(chain(router, to("INVITE", "b2bua"))).containsExactly("b2bua");
        assertThat(chain(router, to("OPTIONS", "proxy"))).containsExactly("proxy");
        assertThat(chain(router, to("INVITE", "service"))).isEmpty();
    }

    @Test
    void aTargetedRequestGoesToItsApplicationWhenThatIsDeployed() throws Exception {
        DefaultApplicationRouter router =
                router(
                        "INVITE: " + entry("a", 0) + "," + entry("b", 1) + "," + entry("c", 2),
                        "a",
                        "b",
                        "c");
        SipTargetedRequestInfo target =
                new SipTargetedRequestInfo(SipTargetedRequestType.ENCODED_URI, "b");
        SipApplicationRouterInfo info =
                router.getNextApplication(
                        to("INVITE", "x"), null, SipApplicationRoutingDirective.NEW, target, null);
        assertThat(info.getNextApplicationName()).isEqualTo("b");
        SipApplicationRouterInfo next =
                router.getNextApplication(
                        to("INVITE", "x"),
                        null,
                        SipApplicationRoutingDirective.CONTINUE,
                        null,
                        info.getStateInfo());
        assertThat(next.getNextApplicationName()).isEqualTo("c");
        SipTargetedRequestInfo gone =
                new SipTargetedRequestInfo(SipTargetedRequestType.JOIN, "gone");
        assertThat(
                        router.getNextApplication(
                                        to("INVITE", "x"),
                                        null,
                                        SipApplicationRoutingDirective.NEW,
                                        gone,
                                        null)
                                .getNextApplicationName())
                .isEqualTo("a");
    }

    @Test
    void theFileIsReadAgainAtEachDeploymentAndABrokenOneChangesNothing() throws Exception {
        DefaultApplicationRouter router = router("INVITE: " + entry("a", 0), "a");
        Files.writeString(
                folder.resolve("dar.properties"), "INVITE: " + entry("b", 0) + "," + entry("a", 1));
        router.applicationDeployed(List.of("b"));
        assertThat(chain(router, to("INVITE", "x"))).containsExactly("b", "a");
        Files.writeString(folder.resolve("dar.properties"), "INVITE: rubbish");
        router.applicationDeployed(List.of("c"));
        assertThat(chain(router, to("INVITE", "x"))).containsExactly("b", "a");
    }

    @Test
    void aMissingFileIsAnErrorAtTheStart() {
        Path missing = folder.resolve("none.properties");
        assertThatThrownBy(() -> new DefaultApplicationRouter(missing).init())
                .isInstanceOf(RouterException.class)
                .hasMessage(missing + ": there is no such router file");
    }

    @Test
    @Proves("ar.SipApplicationRouter#init(Properties)")
    void propertiesMayHoldTheEntries() {
        Properties properties = new Properties();
        properties.setProperty("INVITE", entry("a", 0, "REGEX=sip:x@127\\.0"));
        DefaultApplicationRouter router = new DefaultApplicationRouter(null);
        router.init(properties);
        router.applicationDeployed(List.of("other", "a"));
        assertThat(chain(router, to("INVITE", "x"))).containsExactly("a");
    }

    @Test
    @Proves("ar.SipApplicationRouter#destroy()")
    void aDestroyedRouterKnowsNobody() {
        DefaultApplicationRouter router = new DefaultApplicationRouter(null);
        router.init();
        router.applicationDeployed(List.of("a"));
        router.destroy();
        assertThat(first(router, to("INVITE", "x")).getNextApplicationName()).isNull();
    }

    @Test
    void namesInTheFileThatNobodyDeployedAreTold() throws Exception {
        Path path =
                Files.writeString(
                        folder.resolve("dar.properties"),
                        "INVITE: "
                                + entry("a", 0, "")
                                + ", \\\n"
                                + entry("typo", 1, "")
                                + "\n"
                                + "MESSAGE: "
                                + entry("typo", 0, ""));
        DefaultApplicationRouter router = new DefaultApplicationRouter(path);
        router.init();
        router.applicationDeployed(List.of("a"));
        assertThat(router.notDeployed())
                .containsExactly(
                        path
                                + ":2: application 'typo' is not deployed and is passed over; there are [a]");
        router.applicationDeployed(List.of("typo"));
        assertThat(router.notDeployed()).isEmpty();
    }
}
