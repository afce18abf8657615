package io.carillon.server;

import io.carillon.server.apps.ApplicationsText;
import io.carillon.server.apps.Deployer;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.servlet.app.DeploymentException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/** The commands that deploy into the running server. Any thread. */
final class ApplicationCommands {
    private final Deployer deployer;

    private ApplicationCommands(Deployer deployer) {
        this.deployer = deployer;
    }

    /** By the names that the command line sends. */
    static Map<String, ControlCommand> of(Deployer deployer) {
        ApplicationCommands commands = new ApplicationCommands(deployer);
        return Map.of(
                "applications",
                nothing -> ApplicationsText.json(deployer.versions()),
                "deploy",
                commands::deploy,
                "undeploy",
                name -> commands.undeploy(name, false),
                "undeploy-now",
                name -> commands.undeploy(name, true));
    }

    private String deploy(String file) throws ControlFailure {
        try {
            Path archive = Path.of(file);
            if (!archive.isAbsolute()) {
                throw new ControlFailure(file + ": an absolute file name is needed");
            }
            return ApplicationsText.json(deployer.deploy(archive));
        } catch (DeploymentException e) {
            throw new ControlFailure("not deployed: " + e.getMessage(), e);
        } catch (InvalidPathException e) {
            throw new ControlFailure("no file name: " + e.getMessage(), e);
        }
    }

    private String undeploy(String name, boolean now) throws ControlFailure {
        if (!deployer.undeploy(name, now)) {
            throw new ControlFailure("no application is named '" + name + "'");
        }
        return "undeployed " + name + "\n";
    }
}
