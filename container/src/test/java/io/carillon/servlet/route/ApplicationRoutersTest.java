package io.carillon.servlet.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.TestRequests;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.TestArchive;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.core.StackConfig;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.ar.SipApplicationRouter;
import javax.servlet.sip.ar.spi.SipApplicationRouterProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationRoutersTest {
    private static final SipApplicationRouter OWN =
            TestRequests.stub(SipApplicationRouter.class, Map.of());

    /** Gives a router of its own. */
    public static final class Provider extends SipApplicationRouterProvider {
        @Override
        public SipApplicationRouter getSipApplicationRouter() {
            return OWN;
        }
    }

    /** Gives none. */
    public static final class Empty extends SipApplicationRouterProvider {
        @Override
        public SipApplicationRouter getSipApplicationRouter() {
            return null;
        }
    }

    /** Gives a router that notes what it is told, in a list that all of them share. */
    public static final class Noting extends SipApplicationRouterProvider {
        static final List<String> TOLD = new ArrayList<>();

        @Override
        public SipApplicationRouter getSipApplicationRouter() {
            return (SipApplicationRouter)
                    Proxy.newProxyInstance(
                            Noting.class.getClassLoader(),
                            new Class<?>[] {SipApplicationRouter.class},
                            (self, method, arguments) -> {
                                TOLD.add(
                                        method.getName()
                                                + (arguments == null ? "[]" : List.of(arguments)));
                                return null;
                            });
        }
    }

    @TempDir Path folder;

    @AfterEach
    void clear() {
        System.clearProperty(ApplicationRouters.PROVIDER_PROPERTY);
        System.clearProperty(DefaultApplicationRouter.FILE_PROPERTY);
        System.clearProperty(DefaultApplicationRouter.OTHER_FILE_PROPERTY);
    }

    private void service(String content) throws Exception {
        Path file =
                folder.resolve("META-INF/services/" + SipApplicationRouterProvider.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    void withoutAnythingItIsTheDefaultRouter() {
        assertThat(ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .isInstanceOf(DefaultApplicationRouter.class);
        assertThat(ApplicationRouters.open(new RouterConfig(null, folder)))
                .isInstanceOf(DefaultApplicationRouter.class);
    }

    @Test
    @Proves({
        "ar.spi.SipApplicationRouterProvider#SipApplicationRouterProvider()",
        "ar.spi.SipApplicationRouterProvider#getSipApplicationRouter()",
    })
    void theSystemPropertyNamesAProvider() {
        System.setProperty(ApplicationRouters.PROVIDER_PROPERTY, Provider.class.getName());
        assertThat(ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER)).isSameAs(OWN);
        System.setProperty(
                ApplicationRouters.PROVIDER_PROPERTY, " " + Provider.class.getName() + " ");
        assertThat(ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER)).isSameAs(OWN);
    }

    /** Start scripts of Mobicents and RestComm name it; ours reads the same file. */
    @ParameterizedTest
    @ValueSource(strings = {"mobicents", "restcomm"})
    void theDefaultRouterOfMobicentsIsOurs(String whose) {
        System.setProperty(
                ApplicationRouters.PROVIDER_PROPERTY,
                "org." + whose + ".servlet.sip.router.DefaultApplicationRouterProvider");
        assertThat(ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .isInstanceOf(DefaultApplicationRouter.class);
        System.setProperty(ApplicationRouters.PROVIDER_PROPERTY, "org.mobicents.servlet.sip.Other");
        assertThatThrownBy(() -> ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .isInstanceOf(RouterException.class);
    }

    /** Who brings it means it. */
    @Test
    void theDefaultRouterOfMobicentsIsTheirsWhereItIsThere() throws Exception {
        Path classes =
                new TestArchive(folder)
                        .classes(
                                "package org.mobicents.servlet.sip.router; "
                                        + " public class DefaultApplicationRouterProvider extends javax.servlet.sip.ar.spi.SipApplicationRouterProvider"
                                        + " { public javax.servlet.sip.ar.SipApplicationRouter getSipApplicationRouter() { return null; } }")
                        .explode("theirs")
                        .resolve("WEB-INF/classes");
        String name = "org.mobicents.servlet.sip.router.DefaultApplicationRouterProvider";
        System.setProperty(ApplicationRouters.PROVIDER_PROPERTY, name);
        assertThatThrownBy(() -> ApplicationRouters.open(new RouterConfig(null, classes)))
                .hasMessage(name + ": getSipApplicationRouter() returned null");
    }

    @Test
    void aServiceFileOfTheConfiguredFolderNamesAProvider() throws Exception {
        service(Provider.class.getName());
        assertThat(ApplicationRouters.open(new RouterConfig(null, folder))).isSameAs(OWN);
    }

    @Test
    void aRouterIsToldOfItsPropertiesOfDeploymentsAndOfItsEnd() throws Exception {
        Noting.TOLD.clear();
        service(Noting.class.getName());
        RouterConfig config = new RouterConfig(null, folder, Map.of("table", "calls"));
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        SessionStores.inMemory(),
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults().withRouter(config));
        server.deploy(new SipServlet() {}, ExecutionMode.BLOCKING);
        server.container.retire("test", null);
        server.container.close();
        assertThat(Noting.TOLD)
                .containsExactly(
                        "init[{table=calls}]",
                        "applicationDeployed[[test]]",
                        "applicationUndeployed[[test]]",
                        "destroy[]");
    }

    @Test
    void propertiesNeedAProvider() {
        assertThatThrownBy(() ->
                        ApplicationRouters.open(new RouterConfig(null, null, Map.of("a", "b"))))
                .isInstanceOf(RouterException.class)
                .hasMessage(
                        "router-provider.properties: are given, but there is no provider to give them to");
    }

    @Test
    void whatCannotBeUsedSaysSo() throws Exception {
        System.setProperty(ApplicationRouters.PROVIDER_PROPERTY, "x.Missing");
        assertThatThrownBy(() -> ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .isInstanceOf(RouterException.class)
                .hasMessageStartingWith(
                        "-Djavax.servlet.sip.ar.spi.SipApplicationRouterProvider=x.Missing: no such application router provider can be made: ");
        System.setProperty(ApplicationRouters.PROVIDER_PROPERTY, Empty.class.getName());
        assertThatThrownBy(() -> ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .hasMessage(Empty.class.getName() + ": getSipApplicationRouter() returned null");
        clear();
        service(Provider.class.getName() + "\n" + Empty.class.getName());
        assertThatThrownBy(() -> ApplicationRouters.open(new RouterConfig(null, folder)))
                .hasMessageStartingWith(folder + ": holds 2 application router providers");
        service("x.Missing");
        assertThatThrownBy(() -> ApplicationRouters.open(new RouterConfig(null, folder)))
                .hasMessageStartingWith(
                        folder + ": the application router provider cannot be used: ");
        Path none = folder.resolve("none");
        assertThatThrownBy(() -> ApplicationRouters.open(new RouterConfig(null, none)))
                .hasMessage(none + ": is no folder");
    }

    @Test
    @Proves("ar.SipApplicationRouter#init()")
    void theFilesSystemPropertyIsAFileNameOrUri() throws Exception {
        Path file = Files.writeString(folder.resolve("dar.properties"), "INVITE: rubbish");
        System.setProperty(DefaultApplicationRouter.FILE_PROPERTY, file.toString());
        assertThatThrownBy(() -> ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .hasMessageStartingWith(file + ":1: expected '('");
        System.clearProperty(DefaultApplicationRouter.FILE_PROPERTY);
        System.setProperty(DefaultApplicationRouter.OTHER_FILE_PROPERTY, file.toUri().toString());
        assertThatThrownBy(() -> ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .hasMessageStartingWith(file + ":1: expected '('");
    }
}
