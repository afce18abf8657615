package io.carillon.server.attack;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.SecurityPage;
import io.carillon.server.SecurityPage.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Walks the table of docs/guides/security.md of everything that waits or is remembered on behalf of
 * a peer: each row is filled beyond its bound, here at the running server, or by the test of its
 * module that is named here.
 */
class WhatWaitsTest {
    @TempDir private Path folder;

    /** Fills a row beyond its bound and asserts what the row says. */
    private sealed interface Filler {}

    @FunctionalInterface
    private interface Work {
        void fill(WaitingFillers server) throws Exception;
    }

    private record AtTheServer(Work work) implements Filler {}

    /** A test elsewhere: module, class below io.carillon, method. */
    private record Elsewhere(String module, String type, String method) implements Filler {
        Path source() {
            return Path.of("..", module.split("/"))
                    .resolve(Path.of("src", "test", "java", "io", "carillon"))
                    .resolve(type + ".java");
        }
    }

    private static Filler server(Work work) {
        return new AtTheServer(work);
    }

    private static Filler sip(String type, String method) {
        return new Elsewhere("sip", "sip/" + type, method);
    }

    private static Filler net(String type, String method) {
        return new Elsewhere("net", "net/" + type, method);
    }

    private static Filler container(String type, String method) {
        return new Elsewhere("container", "servlet/" + type, method);
    }

    private static Filler here(String type, String method) {
        return new Elsewhere("server", "server/" + type, method);
    }

    private static final Map<String, Filler> FILLERS =
            Map.ofEntries(
                    entry(
                            "datagrams that nobody has read",
                            here(
                                    "measure/KernelDropsTest",
                                    "dropsOfOurSocketsAreSummedOthersAreNot")),
                    entry(
                            "datagrams that the kernel does not take",
                            net("udp/EpollUdpSocketTest", "moreThanMayWaitIsDroppedAndCounted")),
                    entry(
                            "new work behind what is under way",
                            net(
                                    "udp/NewWorkTest",
                                    "whereThereIsNoMoreRoomTheOldestIsServedAndNothingIsLost")),
                    entry("connections", server(WaitingFillers::connections)),
                    entry(
                            "connections of ours that are not connected yet",
                            net(
                                    "ConnectionLimitsTest",
                                    "thoseThatAreStillConnectingHaveAPartOfThePlaces"
                                            + "AndAShareOfItPerAsker")),
                    entry(
                            "names of WebSocket clients that have gone",
                            net("stream/EndedPeerNamesTest", "whoLeavesManyNamesPushesOutHisOwn")),
                    entry(
                            "unfinished messages, TLS records, upgrades",
                            server(WaitingFillers::unfinishedMessages)),
                    entry("bytes for a peer that does not read", server(WaitingFillers::deafPeer)),
                    entry(
                            "bytes for all that do not read or end no handshake",
                            net(
                                    "StreamKindsTest",
                                    "whatWaitsForHandshakesThatNeverEndIsBoundedForAllTogether")),
                    entry(
                            "messages of connections that no node of a cluster has taken or answered",
                            new Elsewhere(
                                    "router",
                                    "router/UndeliveredMessagesTest",
                                    "oneConnectionHasAPartOfTheRoomAndAllTogetherHaveABound")),
                    entry(
                            "messages for connections that no router has taken",
                            new Elsewhere(
                                    "cluster",
                                    "cluster/link/UnacknowledgedTest",
                                    "allTogetherHaveABound")),
                    entry(
                            "pages that are passed on to other nodes",
                            here("http/PassedPagesTest", "oneVisitorLeavesRoomForOthers")),
                    entry(
                            "rates of sources",
                            net("guard/SourceRatesTest", "aFloodOfOneTakesNothingOfOthers")),
                    entry(
                            "bans and failures on the way to one",
                            net(
                                    "guard/GuardTest",
                                    "aHundredThousandFailingSourcesTakeNoMoreRoomThanTheTable")),
                    entry(
                            "sources that have shown that they get our answers",
                            net("guard/GuardTest", "whoHasANetworkPushesOutNoProofsButHisOwn")),
                    entry(
                            "wrong credentials by WebSocket from where a user is, and for which"
                                    + " sources none are looked at",
                            net(
                                    "guard/GuardTest",
                                    "guessesOfManySourcesTakeNoMoreRoomThanTheTable")),
                    entry("questions to the DNS", net("resolve/ResolutionTest", "tooManyWait")),
                    entry("answers of the DNS", net("resolve/ResolutionTest", "floodOfRecords")),
                    entry(
                            "recent addresses, ways and texts",
                            net("resolve/SentByTest", "addressesOfManyPeersDoNotFillTheMemory")),
                    entry(
                            "sessions of TLS that may be resumed",
                            net("tls/TlsBoundsTest", "sessionsThatMayBeResumedAreBounded")),
                    entry(
                            "work of TLS handshakes, with the JDK's TLS alone",
                            net("tls/TlsBoundsTest", "workOfHandshakesThatFindsNoRoomIsRefused")),
                    entry("transactions", server(WaitingFillers::transactions)),
                    entry(
                            "transactions of requests of ours",
                            sip("stack/ClientSideTest", "fullTable")),
                    entry(
                            "requests that were refused while new work is shed",
                            sip("overload/RefusedRequestsTest", "moreThanItHoldsPushOutTheOldest")),
                    entry(
                            "sources and their part of what is let in while new work is shed",
                            sip("overload/SourceRateTest", "manyStrangersTakeNothingOfOne")),
                    entry(
                            "requests that came by two ways, until it is known whether we proxy the first",
                            sip("stack/ServerSideTest", "manySiblings")),
                    entry("bytes of open requests", sip("stack/ServerSideTest", "heldBytes")),
                    entry(
                            "messages for a busy application session",
                            container(
                                    "BusyCallTest",
                                    "acksWithEverNewNumbersAreBoundedAndTheOthersDropped")),
                    entry(
                            "bytes of all messages that wait so",
                            container(
                                    "BusyCallTest",
                                    "allCallsTogetherAreBoundedAndOthersAreServed")),
                    entry(
                            "messages on their way to another shard",
                            net(
                                    "shard/HopBatchTest",
                                    "messagesForAShardThatIsBusyAreBoundedByTheirBytes")),
                    entry(
                            "2xx that wait for ACK, reliable 1xx for PRACK",
                            sip("stack/ServerSideTest", "ackNeverComes")),
                    entry(
                            "peers that take part in overload control",
                            sip(
                                    "feedback/NeighboursTest",
                                    "moreThanThereArePlacesForAreNotControlled")),
                    entry("servers that failed lately", sip("stack/FailoverTest", "downHasACap")),
                    entry(
                            "forks of an INVITE or SUBSCRIBE",
                            container(
                                    "MadeUpForksTest",
                                    "ringingWithEverNewTagsMakesNoMoreSessionsThanTheLimit")),
                    entry(
                            "late 2xx to INVITEs of ours",
                            container(
                                    "dispatch/AnsweredInvitesTest",
                                    "aFullTableAnswersNoOtherInviteUntilTheOldestHaveEnded")),
                    entry(
                            "targets of a redirect",
                            container(
                                    "RedirectTargetsTest",
                                    "targetsBeyondTheirNumberAreLeftUntriedAndCounted")),
                    entry("application sessions", server(WaitingFillers::applicationSessions)),
                    entry("handlers that run or wait", server(WaitingFillers::applicationSessions)),
                    entry(
                            "threads that handlers hold by computing, beside loops",
                            container(
                                    "threads/VirtualApplicationThreadsTest",
                                    "oneSourceLeavesThreadsToGoOnToOthersAndAllIsDoneAfterTheEnd")),
                    entry(
                            "application sessions of one source",
                            container(
                                    "SessionSharesTest",
                                    "oneSourceWithinItsRateLeavesRoomForOthers")),
                    entry(
                            "application sessions of visitors",
                            container("SessionSharesTest", "visitorsOfPagesLeaveRoomForCalls")),
                    entry(
                            "guesses at passwords of administrators",
                            here(
                                    "access/LoginLimitsTest",
                                    "manySourcesTogetherHaveABoundAndSoHasWhatIsRemembered")),
                    entry(
                            "sessions of administrators' browsers",
                            here("access/SessionsTest", "anAccountHasABoundAndSoHaveAll")),
                    entry(
                            "administrators who were sent to an issuer",
                            here("access/OidcLoginTest", "theOldestOfThoseWhoAreAwayGivesWay")),
                    entry(
                            "access tokens of an issuer that were looked at",
                            here(
                                    "access/OidcTokensTest",
                                    "ofVeryManyTokensTheLastOnesAreRemembered")),
                    entry(
                            "traces that were kept, for the console",
                            here(
                                    "spans/KeptTracesTest",
                                    "ofVeryManyTracesTheLastStayAndAllAreCollected")),
                    entry(
                            "event streams of administrators",
                            here("api/ApiBoundsTest", "eventStreamsAreBoundedForOneAndForAll")),
                    entry(
                            "requests to the API that wait for a thread",
                            here("api/ApiBoundsTest", "whatFindsNoThreadAndNoPlaceIsRefused")),
                    entry(
                            "bodies of strangers who log in to the API",
                            here("api/ApiBoundsTest", "bodiesOfStrangersAreBounded")),
                    entry(
                            "refusals that the audit log counts",
                            here(
                                    "audit/AuditLogTest",
                                    "refusalsAreWrittenAndAFloodOfThemIsCounted")),
                    entry(
                            "lines of the log for consoles",
                            here("log/RecentLinesTest", "onlyTheLastOnesAreKept")),
                    entry(
                            "HTTP sessions of a web application",
                            here(
                                    "http/PageSharesTest",
                                    "beyondTheirShareAPageGets503WithRetryAfter")),
                    entry(
                            "long addresses, routes and Call-IDs of dialogs; third and further SIP sessions of an application session",
                            container(
                                    "KeptAddressesTest",
                                    "callsWithLongAddressesAreRefusedWhereTheirMemoryIsFullAndUsualOnesAreNot")),
                    entry(
                            "SIP sessions of an application session",
                            container(
                                    "SessionsOfOneTest",
                                    "moreCallsInOneApplicationSessionThanItMayHoldAreRefused")),
                    entry(
                            "subscriptions",
                            container("SubscriptionTest", "subscriptionsBeyondTheCapAreRefused")),
                    entry(
                            "requests handed on to another node",
                            container(
                                    "dispatch/HandedOnTest",
                                    "beyondTheirNumberTheOldestAreForgotten")),
                    entry(
                            "requests sent away by ROUTE_BACK",
                            container(
                                    "feature/compose/ReturnsTest",
                                    "beyondTheirNumberTheOldestAreForgottenAndCounted")),
                    entry(
                            "nonce counts",
                            container(
                                    "feature/security/OneUseTest",
                                    "moreNoncesThanMayBeRememberedAreAskedForAnewAndNeverReplayed")),
                    entry(
                            "users that the database is asked for",
                            container(
                                    "feature/security/CachedUsersTest",
                                    "theStoreIsAskedForSoManyNamesAtOnceAndForOneNameOnce")),
                    entry(
                            "users remembered, and names of nobody",
                            container(
                                    "feature/security/CachedUsersTest",
                                    "inventedNamesPushOutNoUser")),
                    entry(
                            "certificates of callers that are fetched",
                            container(
                                    "feature/identity/CredentialCacheTest",
                                    "noSourceTakesAllFetches")),
                    entry(
                            "certificates of callers, and failures",
                            container(
                                    "feature/identity/CredentialCacheTest",
                                    "failuresPushOutNoCertificate")),
                    entry(
                            "messages for connections that wait for the lease of this node",
                            sip("stack/ClusterNodeTest", "soManyWaitForALeaseAndNoMore")),
                    entry(
                            "messages that wait for their record",
                            container("feature/protect/RecordsTest", "messagesThatWaitAreBounded")),
                    entry(
                            "records that the store has not answered for",
                            container(
                                    "feature/protect/RecordsTest",
                                    "whatTheStoreHasNotAnsweredForIsBounded")),
                    entry(
                            "records of ended calls that are still to be removed",
                            container("feature/protect/RecordsTest", "removalsThatWaitAreBounded")),
                    entry(
                            "PASSporTs that are fresh",
                            container(
                                    "feature/identity/SeenPassportsTest",
                                    "ofTooManyTheOldestGoesFirstAndIsCounted")),
                    entry(
                            "kinds of failures told in the log",
                            container(
                                    "dispatch/ApplicationErrorsTest",
                                    "kindsBeyondTheirNumberAreCountedAndNotTold")),
                    entry(
                            "lines of `ServletContext.log`",
                            container(
                                    "app/ApplicationLogTest",
                                    "linesOverTheLimitAreLeftOutAndTold")),
                    entry(
                            "connections of HTTP",
                            here("http/AdminHttpTest", "connectionsHaveALimit")),
                    entry(
                            "requests on HTTP that wait for a thread",
                            here(
                                    "http/HttpAttacksTest",
                                    "moreBodiesThatDoNotComeThanThreadsLeaveTheServersPagesInPeace")),
                    entry(
                            "bodies on HTTP before their request has a thread",
                            here(
                                    "http/BodyRoomTest",
                                    "theOldestBodyOfTheSourceThatHoldsMostIsGivenUp")),
                    entry(
                            "requests for a connection of the database",
                            here(
                                    "data/DatabaseWaitingTest",
                                    "requestsThatWaitForAConnectionAreBoundedAndCounted")),
                    entry(
                            "kinds of warnings of libraries, of which one line a second is written",
                            here(
                                    "log/LibraryLinesTest",
                                    "whoPutsHisTextIntoTheMessageItselfHasTheLinesOfThePlacesAndNoMore")),
                    entry(
                            "lines of the log",
                            here(
                                    "log/LogQueueFullTest",
                                    "linesThatFindTheQueueFullAreLeftOutAndCountedAndNobodyWaits")),
                    entry(
                            "messages for the collector",
                            here(
                                    "hep/HepSenderTest",
                                    "largeMessagesDoNotTakeTheMemoryOfManySmallOnes")),
                    entry(
                            "legs that have call records",
                            new Elsewhere(
                                    "telemetry",
                                    "telemetry/records/CallRecordsTest",
                                    "beyondTheMostLegsNoneIsFollowedAndThatIsCounted")),
                    entry(
                            "calls that have a trace, and their spans",
                            new Elsewhere(
                                    "telemetry",
                                    "telemetry/otlp/CallTracesTest",
                                    "whereThereIsNoRoomTheOldestCallThatGoesWellGivesWay")),
                    entry(
                            "targets of REFER that a transfer is known by",
                            new Elsewhere(
                                    "telemetry",
                                    "telemetry/records/LegTableTest",
                                    "ofTooManyReferralsTheOldestIsForgotten")),
                    entry(
                            "messages of calls that another node may have had, for call records",
                            new Elsewhere(
                                    "telemetry",
                                    "telemetry/records/UnclaimedTest",
                                    "ofTooManyTheOldestCallIsForgottenAndOfOneCallTheLaterMessages")),
                    entry(
                            "call records of applications' own",
                            new Elsewhere(
                                    "telemetry",
                                    "telemetry/records/CallRecordsTest",
                                    "anApplicationThatWritesMoreThanCanWaitLosesTheRestAndThatIsCounted")),
                    entry(
                            "call records for a sink that is away",
                            new Elsewhere(
                                    "telemetry",
                                    "telemetry/records/SinksTest",
                                    "aSpoolThatIsFullDropsAndCounts")),
                    entry(
                            "files of call records",
                            new Elsewhere(
                                    "telemetry",
                                    "telemetry/records/RecordFormsTest",
                                    "ofTooManyRotatedFilesTheOldestGoAndThatIsCounted")),
                    entry(
                            "Call-IDs of traced calls",
                            here(
                                    "trace/TracedLegsTest",
                                    "beyondTheirNumberTheOldestAreForgottenAndCounted")),
                    entry(
                            "records of traced calls",
                            here(
                                    "trace/TracesTest",
                                    "theRingKeepsTheLatestAndSaysThatTheBeginningIsGone")),
                    entry(
                            "calls of pages (web starter)",
                            new Elsewhere(
                                    "web-starter", "webtest/CallApiTest", "aDoubleClickIsOneCall")),
                    entry(
                            "bodies of pages that are being read (Spring Boot starter)",
                            new Elsewhere(
                                    "spring-boot-starter",
                                    "boot/BoundedBodiesTest",
                                    "aSourceHasHalfOfTheRoomAloneAndAQuarterOfWhatOthersLeave")),
                    entry(
                            "calls to users of pages (web starter)",
                            new Elsewhere(
                                    "web-starter",
                                    "web/IncomingCallsTest",
                                    "aSourceHasHalfOfAUsersCalls")),
                    entry(
                            "connections of pages (web starter with Jetty)",
                            new Elsewhere(
                                    "web-starter",
                                    "webtest/ConnectionLimitsTest",
                                    "connectionsOfOneSourceGiveWayToOthers")),
                    entry(
                            "event streams of pages (web starter)",
                            new Elsewhere(
                                    "web-starter",
                                    "web/EventStreamsTest",
                                    "theOldestOfTooManyStreamsEnds")),
                    entry(
                            "wrong passwords (web starter)",
                            new Elsewhere(
                                    "web-starter",
                                    "web/SignInsTest",
                                    "whatIsRememberedOfGuessersIsBounded")),
                    entry(
                            "passwords that wait to be compared (web starter)",
                            new Elsewhere(
                                    "web-starter",
                                    "web/ComparisonsTest",
                                    "aNetworkLeavesPlacesToOthers")),
                    entry(
                            "bindings of a user (`registrar`)",
                            new Elsewhere(
                                    "examples/registrar",
                                    "examples/registrar/ContactLimitTest",
                                    "oneMoreThanTheLimitIs403AndSaysTheLimit")),
                    entry(
                            "registrations that wait for one of the same address of record"
                                    + " (`registrar`)",
                            new Elsewhere(
                                    "examples/registrar",
                                    "examples/registrar/TurnsTest",
                                    "aFewWaitInTheOrderInWhichTheyCameAndTheNextIsRefused")),
                    entry(
                            "publications and watchers (`presence`)",
                            new Elsewhere(
                                    "examples/presence",
                                    "examples/presence/PresenceServletTest",
                                    "publicationsAndWatchersAreBounded")),
                    entry(
                            "rooms and members (`chat-room`)",
                            new Elsewhere(
                                    "examples/chat-room",
                                    "examples/chatroom/ChatServletTest",
                                    "membersAreBounded")),
                    entry(
                            "news for who sent a REFER (`transfer`, `uac-register-call`)",
                            new Elsewhere(
                                    "examples/transfer",
                                    "examples/transfer/TransferServletTest",
                                    "aTransferorWhoAnswersNoNotifyHearsTheNewestOnly")),
                    entry(
                            "names of transfers (`b2bua`)",
                            new Elsewhere(
                                    "examples/b2bua",
                                    "examples/b2bua/ReferralTest",
                                    "onlyTheLastFewTransfersOfACallAreRemembered")),
                    entry(
                            "calls and streams of a visitor (`click-to-call`)",
                            new Elsewhere(
                                    "examples/click-to-call",
                                    "examples/clicktocall/CallFlowTest",
                                    "aVisitorAndTheServerHaveSoManyCallsAndNoMore")));

    @TestFactory
    Stream<DynamicTest> everyRowIsFilledBeyondItsBound() throws IOException {
        List<Row> rows = SecurityPage.waiting();
        assertThat(FILLERS.keySet())
                .containsExactlyInAnyOrderElementsOf(rows.stream().map(Row::what).toList());
        return rows.stream()
                .map(row ->
                        DynamicTest.dynamicTest(row.what(), () -> fill(FILLERS.get(row.what()))));
    }

    private void fill(Filler filler) throws Exception {
        switch (filler) {
            case AtTheServer at -> {
                Path own = Files.createTempDirectory(folder, "server");
                at.work().fill(new WaitingFillers(own));
            }
            case Elsewhere test -> assertAsserts(test);
        }
    }

    /** It is there, is a test, and asserts something. */
    private static void assertAsserts(Elsewhere test) throws IOException {
        String source = Files.readString(test.source());
        int at = source.indexOf("    void " + test.method() + "(");
        assertThat(at).as("%s in %s", test.method(), test.source()).isPositive();
        String annotations = source.substring(source.lastIndexOf("\n\n", at), at);
        assertThat(annotations).containsAnyOf("@Test", "@ParameterizedTest", "@SipTest");
        assertThat(source.substring(at, source.indexOf("\n    }\n", at))).contains("assert");
    }

    @Test
    void everyMetricOfBothTablesIsOneOfTheServers() throws Exception {
        Set<String> named = new TreeSet<>();
        SecurityPage.waiting().forEach(row -> named.addAll(row.metrics()));
        SecurityPage.limits().forEach(row -> named.addAll(row.metrics()));
        assertThat(new WaitingFillers(folder).names()).containsAll(named);
    }

    @Test
    void everyKeyOfTheTableIsOneOfTheConfiguration() throws IOException {
        String reference = Files.readString(Path.of("..", "docs", "reference/configuration.md"));
        Set<String> keys =
                SecurityPage.waiting().stream()
                        .flatMap(row -> SecurityPage.codes(row.bound()).stream())
                        .filter(key -> key.matches("[a-z]+\\.[a-z-]+"))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(keys).hasSizeGreaterThan(10);
        assertThat(keys).allSatisfy(key -> assertThat(reference).contains("| `" + key + "`<br>"));
    }
}
