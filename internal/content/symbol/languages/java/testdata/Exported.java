// Prints what each file named on the standard input exports, as javac's own parser reads it: one
// line of JSON for each, without "api" where it finds an error.

import com.sun.source.tree.*;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.Modifier;
import javax.tools.*;

class Exported {
    private final SortedSet<String> api = new TreeSet<>();

    public static void main(String[] args) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String name; (name = names.readLine()) != null; ) {
            String text = new String(Files.readAllBytes(Path.of(name)), StandardCharsets.UTF_8);
            var source = new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
                @Override public CharSequence getCharContent(boolean ignored) { return text; }
            };
            var problems = new DiagnosticCollector<JavaFileObject>();
            JavacTask task = (JavacTask) compiler.getTask(null, null, problems, List.of("-proc:none"), null, List.of(source));
            CompilationUnitTree unit = task.parse().iterator().next();
            boolean wrong = problems.getDiagnostics().stream().anyMatch(d -> d.getKind() == Diagnostic.Kind.ERROR);
            Exported e = new Exported();
            if (unit.getPackageName() != null) e.api.add("package " + unit.getPackageName());
            for (Tree t : unit.getTypeDecls()) if (t instanceof ClassTree c) e.type(c, "", false);
            out.println("{\"file\": " + quoted(name) + (wrong ? "" : ", \"api\": [" + e.api.stream().map(Exported::quoted).collect(Collectors.joining(", ")) + "]") + "}");
        }
    }

    private static String quoted(String s) {
        StringBuilder b = new StringBuilder("\"");
        for (char c : s.toCharArray()) b.append(c < ' ' || c == '"' || c == '\\' || c > '~' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        return b.append('"').toString();
    }

    /** Reports whether a declaration with these modifiers is visible outside of its package. */
    private static boolean visible(ModifiersTree m, boolean always) {
        return !m.getFlags().contains(Modifier.PRIVATE) && (always || m.getFlags().contains(Modifier.PUBLIC) || m.getFlags().contains(Modifier.PROTECTED));
    }

    private void type(ClassTree c, String around, boolean always) {
        if (!visible(c.getModifiers(), always)) return;
        String name = around + c.getSimpleName();
        boolean anyMember = c.getKind() == Tree.Kind.INTERFACE || c.getKind() == Tree.Kind.ANNOTATION_TYPE;
        var components = new ArrayList<String>();
        var constants = new ArrayList<String>();
        for (Tree member : c.getMembers()) {
            if (member instanceof VariableTree v && c.getKind() == Tree.Kind.RECORD && !v.getModifiers().getFlags().contains(Modifier.STATIC)) {
                components.add(v.getModifiers().getAnnotations() + " " + v.getType() + " " + v.getName());
            } else if (member instanceof VariableTree v && isConstant(v, c)) {
                constants.add(v.getModifiers().getAnnotations() + " " + v.getName() + arguments(v));
            } else if (member instanceof VariableTree v) {
                if (visible(v.getModifiers(), anyMember)) api.add("field " + name + "." + v.getName() + modifiers(v.getModifiers()) + v.getType() + " = " + value(v.getInitializer()));
            } else if (member instanceof MethodTree m) {
                if (visible(m.getModifiers(), anyMember)) method(m, name, c.getKind() == Tree.Kind.RECORD);
            } else if (member instanceof ClassTree inner) {
                type(inner, name + ".", anyMember);
            }
        }
        api.add(c.getKind() + " " + name + modifiers(c.getModifiers()) + c.getTypeParameters() + c.getExtendsClause() + c.getImplementsClause() + c.getPermitsClause() + components + constants);
    }

    private static boolean isConstant(VariableTree v, ClassTree of) {
        return of.getKind() == Tree.Kind.ENUM && v.getInitializer() instanceof NewClassTree n && v.getType().toString().equals(of.getSimpleName().toString())
            && v.toString().contains("/*public static final*/");
    }

    private static String arguments(VariableTree v) {
        return ((NewClassTree) v.getInitializer()).getArguments().stream().map(Exported::value).collect(Collectors.joining(", ", "(", ")"));
    }

    private void method(MethodTree m, String around, boolean ofRecord) {
        boolean isConstructor = m.getReturnType() == null;
        String parameters = m.getParameters().stream().map(p -> p.getModifiers() + " " + p.getType() + (p.toString().contains("...") ? "..." : "")).collect(Collectors.joining(", "));
        api.add("method " + around + "." + m.getName() + modifiers(m.getModifiers()) + m.getTypeParameters() + " " + m.getReturnType()
            + "(" + parameters + ")" + m.getReceiverParameter() + m.getThrows() + m.getDefaultValue() + (isConstructor && ofRecord));
    }

    /** Modifiers and annotations, in the order of the text. */
    private static String modifiers(ModifiersTree m) { return " " + m.getAnnotations() + new TreeSet<>(m.getFlags()) + " "; }

    /** The text of a value without what is in bodies. */
    private static String value(Tree t) {
        if (t == null) return "";
        var bodies = new ArrayList<String>();
        new TreeScanner<Void, Void>() {
            @Override public Void visitLambdaExpression(LambdaExpressionTree l, Void v) {
                bodies.add(l.getBody().toString());
                return super.visitLambdaExpression(l, v);
            }
            @Override public Void visitNewClass(NewClassTree n, Void v) {
                if (n.getClassBody() != null) bodies.add(n.getClassBody().toString());
                return super.visitNewClass(n, v);
            }
        }.scan(t, null);
        String text = t.toString().replaceAll("\\s+", " ");
        for (String body : bodies) {
            String inner = body.replaceAll("\\s+", " ").strip();
            text = text.replace(inner.substring(Math.max(inner.indexOf('{'), 0)), "{}");
        }
        return text;
    }
}
