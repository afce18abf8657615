package io.carillon.servlet.classic;

import io.carillon.servlet.app.TestArchive;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications with the habits of the first years of SIP Servlet 1.1, each in a folder of {@code
 * src/test/resources/classic}: sources, descriptor, and scripts of what its peers say. They are
 * compiled, packed, deployed as archives, and called by peers that are texts.
 */
class ClassicApplicationsTest {
    private static final Path FOLDERS = Path.of("src/test/resources/classic");

    @TempDir Path work;

    /** Plays these scripts of its folder, or all, each at a server of its own. */
    private void play(String application, String... chosen) throws Exception {
        Path folder = FOLDERS.resolve(application);
        List<Path> scripts =
                chosen.length == 0
                        ? files(folder, ".txt")
                        : Stream.of(chosen).map(name -> folder.resolve(name + ".txt")).toList();
        if (scripts.isEmpty()) {
            throw new AssertionError("no script in " + folder);
        }
        Path archive = archive(application, folder);
        for (Path script : scripts) {
            Server server = server(folder.resolve("router.properties"));
            server.container.deploy(archive);
            ScriptPlayer player = new ScriptPlayer(server.network, server.node.address());
            player.play(
                    CallScript.read(
                            application + "/" + script.getFileName(), Files.readString(script)));
            if (player.keeps()) {
                server.assertClean();
            } else {
                server.assertEmpty();
            }
            server.container.close();
        }
    }

    private Server server(Path router) {
        ContainerConfig config = ContainerConfig.defaults().withWorkFolder(work.resolve("work"));
        return new Server(
                new SimulatedNetwork(new VirtualTime(), 1),
                "10.0.0.1",
                1,
                1,
                SessionStores.inMemory(),
                StackConfig.DEFAULT,
                Files.exists(router) ? config.withRouter(new RouterConfig(router, null)) : config);
    }

    private Path archive(String application, Path folder) throws Exception {
        TestArchive archive = new TestArchive(work);
        List<String> sources = new ArrayList<>();
        for (Path source : files(folder, ".java")) {
            sources.add(Files.readString(source));
        }
        archive.classes(sources.toArray(String[]::new));
        for (Path descriptor : files(folder, ".xml")) {
            archive.file("WEB-INF/" + descriptor.getFileName(), Files.readString(descriptor));
        }
        return archive.write(application + ".war");
    }

    private static List<Path> files(Path folder, String ending) throws Exception {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    @Test
    void hostAndPortInOneParameter() throws Exception {
        play("callthrough");
    }

    @Test
    void outboundProxyByPushRoute() throws Exception {
        play("edge");
    }

    @Test
    void linkedRequestsInDoCancelAndBehindTheAck() throws Exception {
        play("pickup");
    }

    @Test
    void callsHandedToAnotherServletByName() throws Exception {
        play("frontdesk");
    }

    @Test
    void whoWasForwardedToGetsTheRestOfTheCall() throws Exception {
        play("operator");
    }

    @Test
    void requestsAndSessionsAsTimerInfo() throws Exception {
        play("wakeup");
    }

    @Test
    void fromAndToChangedByAB2bua() throws Exception {
        play("anonymizer");
    }

    @Test
    void reliableProvisionalsAndPrackPassedByAB2bua() throws Exception {
        play("earlymedia");
    }

    @Test
    void theLastNotifyComesBehindTheBye() throws Exception {
        play("transfer");
    }

    @Test
    void oneApplicationForTwoRegions() throws Exception {
        play("visits");
    }

    @Test
    void aProxyAnswersReInvites() throws Exception {
        play("holdgate");
    }

    @Test
    void subscriptionsThroughAProxy() throws Exception {
        play("watchers", "usual");
    }

    @Test
    void notifyBeforeThe200PassesAProxy() throws Exception {
        play("watchers", "early");
    }

    @Test
    void theLastNotifyEndsTheSessionOfAProxy() throws Exception {
        play("watchers", "ended");
    }

    @Test
    void clickToDialWithTwoLegsOfOurs() throws Exception {
        play("clicktodial");
    }

    @Test
    void thirdPartyCallControlWithALateAck() throws Exception {
        play("matchmaker");
    }

    @Test
    void redirectionWithContactsOfTheApplication() throws Exception {
        play("diverter");
    }

    @Test
    void aProxyFollowsARedirection() throws Exception {
        play("followme");
    }

    @Test
    void parallelProxyWithBranches() throws Exception {
        play("ringall");
    }

    @Test
    void sequentialProxyWithBranchTimeouts() throws Exception {
        play("hunt");
    }

    @Test
    void locationServiceOfADescriptorOf1_0() throws Exception {
        play("location");
    }

    @Test
    void announcementEndsByTimerAndByExpiry() throws Exception {
        play("announcement");
    }

    @Test
    void messagesRelayedToAllMembers() throws Exception {
        play("chat");
    }

    @Test
    void messagesPassedOnLeaveNothing() throws Exception {
        play("courier");
    }

    @Test
    void sessionKeysPutCallsIntoOneSession() throws Exception {
        play("conference");
    }

    @Test
    void listenersHearOfACallInOrder() throws Exception {
        play("auditor");
    }

    @Test
    void parametersOfAnyHeader() throws Exception {
        play("billing");
    }

    @Test
    void presenceServerWithTimers() throws Exception {
        play("notifier");
    }

    @Test
    void registrationOfATrunkWithDigest() throws Exception {
        play("trunk");
    }

    @Test
    void callForwardingOnNoAnswer() throws Exception {
        play("noanswer");
    }

    @Test
    void aCallWithoutItsAckIsReleased() throws Exception {
        play("ackwatch");
    }

    @Test
    void encodedUriLeadsBackIntoTheSession() throws Exception {
        play("bookmark");
    }

    @Test
    void bytesThatNobodyChangedLeaveAsTheyCame() throws Exception {
        play("latin");
    }

    @Test
    void aFurtherTargetInTheFinalResponse() throws Exception {
        play("mailbox");
    }

    @Test
    void textbookB2buaWithReInvitesInfoGlareAndForks() throws Exception {
        play("pbx");
    }

    @Test
    void numbersPoppedRoutesAndTheSameCallId() throws Exception {
        play("gateway");
    }

    @Test
    void transferWithConsultation() throws Exception {
        play("consult");
    }

    @Test
    void waitingCallerFoundByItsSessionId() throws Exception {
        play("queue");
    }

    @Test
    void aProxyAnswersItselfOrCancels() throws Exception {
        play("overflow");
    }

    @Test
    void callsOfOursWithAPasswordForksAndTimeouts() throws Exception {
        play("dialout");
    }

    @Test
    void annotationsAndInjectionWithoutADescriptor() throws Exception {
        play("annotated");
    }

    @Test
    void headerMapsSystemHeadersAndHops() throws Exception {
        play("inspector");
    }

    @Test
    void requestsAnsweredFromAnotherSessionsTurn() throws Exception {
        play("gatekeeper");
    }

    @Test
    void habitsThatOtherContainersLetPass() throws Exception {
        play("habits");
    }
}
