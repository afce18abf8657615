package io.carillon.server;

import io.carillon.server.api.ApiHandler;
import io.carillon.server.cluster.ClusterCommands;
import io.carillon.server.cluster.ClusterSide;
import io.carillon.server.config.ApplicationSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.control.ControlSocket;
import io.carillon.server.data.CopyRequest;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import io.carillon.server.data.UserRequests;
import io.carillon.server.guard.BanCommands;
import io.carillon.server.http.AdminHttp;
import io.carillon.server.http.AdminPage;
import io.carillon.server.measure.FrontPage;
import io.carillon.server.measure.Meters;
import io.carillon.server.measure.StatusText;
import io.carillon.server.reload.Reloading;
import io.carillon.server.reload.RunningConfiguration;
import io.carillon.server.routes.RouteCommands;
import io.carillon.server.start.StartException;
import io.carillon.server.support.SupportCommands;
import io.carillon.server.tls.TlsSide;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What administrators reach: pages by HTTP, and the control socket with its commands.
 *
 * @param reloading of the configuration
 * @param home Carillon's folder
 * @param board with the status
 * @param sip the SIP side
 * @param users of applications
 * @param tls certificates
 * @param member of a cluster; null: the server is alone
 * @param http where the operations are served
 */
record Administration(
        Reloading reloading,
        HomeFolder home,
        StatusBoard board,
        CarillonSip sip,
        SqlUsers users,
        TlsSide tls,
        @Nullable ClusterSide member,
        AdminHttp http) {

    /** Pages, from now on. */
    static AdminHttp http(
            Configuration configuration,
            StatusBoard board,
            TlsSide tls,
            CarillonSip sip,
            Database database,
            @Nullable ClusterSide member)
            throws StartException {
        database.measure(sip.tracing().registry());
        boolean secure = configuration.http().tls() || configuration.http().applicationsTls();
        Meters meters = new Meters(board, sip.tracing().registry());
        Map<String, AdminPage> pages =
                Map.of(
                        "/",
                                new AdminPage(
                                        "text/html;charset=utf-8",
                                        () -> FrontPage.html(board.status())),
                        "/metrics",
                                new AdminPage(
                                        "text/plain;version=0.0.4;charset=utf-8", meters::scrape),
                        "/status",
                                new AdminPage(
                                        "application/json", () -> StatusText.json(board.status())));
        try {
            AdminHttp http =
                    AdminHttp.start(
                            configuration.http(),
                            pages,
                            name -> {
                                ApplicationSettings settings =
                                        configuration.applications().get(name);
                                return settings == null ? null : settings.httpPath();
                            },
                            sip.live().guard()::trusts,
                            board.probes(),
                            new AdminHttp.Beside(
                                    secure ? tls.https() : null,
                                    new ApiHandler(
                                            AdminHttp.onLoopback(configuration.http()),
                                            meters::list),
                                    member == null ? null : member.pages()));
            board.shown(http, meters);
            sip.tracing().followPages(http, database);
            return http;
        } catch (IOException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Commands of the command line, from now on. */
    ControlSocket listenForCommands(Database database) throws StartException {
        RunningConfiguration running = reloading.running();
        Configuration configuration = running.current().configuration();
        ControlFolder folder =
                ControlFolder.of(configuration.control().directory(), home.control());
        try {
            Map<String, ControlCommand> commands = new HashMap<>(ApplicationCommands.of(sip));
            commands.putAll(RouteCommands.of(sip));
            commands.putAll(sip.tracing().commands());
            commands.putAll(LogCommands.of(() -> running.current().configuration().log()));
            commands.putAll(BanCommands.of(sip.live().guard()));
            commands.putAll(tls.commands());
            commands.putAll(running.commands());
            commands.putAll(reloading.commands());
            commands.put("status", nothing -> StatusText.json(board.status()));
            UserRequests requests =
                    new UserRequests(users, configuration.security().realm(), users.place());
            commands.put("users", requests::answer);
            commands.putAll(CopyRequest.of(database));
            commands.put("stop", nothing -> stopSoon());
            commands.putAll(ClusterCommands.of(member, Administration::stopSoon));
            commands.putAll(
                    SupportCommands.of(
                            commands, board::metrics, () -> running.current().configuration()));
            AdminSide admin = new AdminSide(configuration.admin(), home);
            ApiHandler api = Objects.requireNonNull(http.api());
            Map<String, ControlCommand> audited =
                    admin.serve(
                            api,
                            commands,
                            () -> running.current().configuration(),
                            sip.registrations());
            api.firstStep(admin.firstStep());
            return ControlSocket.open(folder, audited);
        } catch (IOException e) {
            throw new StartException(
                    "the control socket in " + folder + " cannot be made: " + e.getMessage(), e);
        }
    }

    private static String stopSoon() {
        Thread.ofPlatform().daemon().name("stop").start(() -> System.exit(0));
        return "stopping";
    }
}
