"""Writes penguins.csv and penguins-all.csv beside itself; see README.md.

Made with Python 3.11, palmerpenguins==0.1.6, pandas==3.1.1, numpy==2.4.6, scikit-learn==1.9.1.
"""

from pathlib import Path

from palmerpenguins import load_penguins
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SEX_FROM = ["bill_length_mm", "flipper_length_mm", "body_mass_g"]
SPECIES_FROM = ["flipper_length_mm", "body_mass_g"]
SPECIES = ["Adelie", "Chinstrap", "Gentoo"]  # in the order of scikit-learn: alphabetical
HERE = Path(__file__).parent

# Everything else is the default of scikit-learn.
MODELS = {
    "logreg": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(random_state=0),
    "boosting": GradientBoostingClassifier(random_state=0),
    "bayes": GaussianNB(),
}


def out_of_fold(model, features, classes):
    """Each row's probabilities, from a model that was fitted without its fold."""
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    return cross_val_predict(model, features, classes, cv=folds, method="predict_proba")


birds = load_penguins()
birds["female"] = birds["sex"].map({"female": 1, "male": 0}).astype("Int64")
known = birds["sex"].notna()
unknown = ~known & birds[SEX_FROM].notna().all(axis=1)  # sex was not determined, body was measured

labelled = birds[known]
measured, female = labelled[SEX_FROM], labelled["female"].astype(int)
for name, model in MODELS.items():
    birds.loc[known, name] = out_of_fold(model, measured, female)[:, 1]
birds.loc[known, SPECIES] = out_of_fold(
    MODELS["boosting"], labelled[SPECIES_FROM], labelled["species"]
)

head = ["species", "island", "sex", "female", "year"]
birds[known].to_csv(HERE / "penguins.csv", columns=head + list(MODELS) + SPECIES, index=False)

# A bird of unknown sex is in no fold: its prediction is that of a model fitted to all the others.
whole = MODELS["logreg"].fit(measured, female)
birds.loc[unknown, "logreg"] = whole.predict_proba(birds.loc[unknown, SEX_FROM])[:, 1]
birds.to_csv(HERE / "penguins-all.csv", columns=head + ["logreg"], index=False)
